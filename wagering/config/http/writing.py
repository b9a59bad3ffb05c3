"""Writing an answer: JSON and nothing else, UTF-8, without NaN."""

from rest_framework.renderers import JSONRenderer


class JSON(JSONRenderer):
    """Compact; whatever the Accept header adds after ``application/json`` changes nothing."""

    charset = None
    strict = True
    compact = True

    def get_indent(self, accepted_media_type: str, renderer_context: object) -> int | None:
        return None
