"""Pictures of matches."""

from __future__ import annotations


class Picture(str):
    """An SVG document, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return str(self)
