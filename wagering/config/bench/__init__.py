"""``manage.py bench``: how fast the book is beside TPC-B, PostgreSQL's own measure, on the same server.

Absolute figures mean nothing on another day; ratios do. So each thing is measured between two runs of TPC-B with as
many clients, several times over, and what counts is the median of the ratios. Everything happens in a scratch database
with every refusal in force, which is proven at the end.
"""
