"""How pages write days and times: as they are sorted, to the second, in UTC (the name of this file is Django's)."""

DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = r"Y-m-d H:i:s \U\T\C"
