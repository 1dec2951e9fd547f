"""Pictures of matches, and the frames of a film of them."""

from __future__ import annotations

import functools
import io
import tempfile
from pathlib import Path

import numpy as np

#: How wide a frame is, in pixels, and how much higher than the first picture of its film.
WIDTH, ROOM = 720, 1.25
LETTERS = "letters.ttf"


class Picture(str):
    """An SVG document, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return str(self)


class Film:
    """Pictures as frames of one size, ``[H, W, 3]`` uint8, in light colours.

    A frame is 720 pixels wide and a quarter higher than the first picture, both even, as films want them. A lower picture has room below it;
    from one on that is too high, pictures are smaller. What is needed are resvg-py and Pillow, the extra ``video``.
    """

    def __init__(self) -> None:
        self._height = 0  # of every frame; 0 before the first one
        self._wide = WIDTH  # of pictures

    def frame(self, picture: str) -> np.ndarray:
        """The next frame.

        Raises:
            ImportError: resvg-py or Pillow is missing.
        """
        pixels = rasterise(picture, self._wide)
        if not self._height:
            self._height = 2 * round(pixels.shape[0] * ROOM / 2)
        if pixels.shape[0] > self._height:
            self._wide = self._wide * self._height // pixels.shape[0]
            pixels = rasterise(picture, self._wide)
        frame = np.empty((self._height, WIDTH, 3), np.uint8)
        frame[:] = pixels[0, 0]
        left = (WIDTH - self._wide) // 2
        frame[: pixels.shape[0], left : left + pixels.shape[1]] = pixels[: self._height]
        return frame


def rasterise(picture: str, width: int) -> np.ndarray:
    """A picture as pixels, ``[H, W, 3]`` uint8."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise ImportError("pictures of pixels need resvg-py and Pillow: pip install 'privateer[video]'") from error
    folder, name = letters()
    fonts = [str(Path(folder.name) / LETTERS)]
    png = resvg_py.svg_to_bytes(svg_string=picture, width=width, font_files=fonts, sans_serif_family=name)
    return np.asarray(Image.open(io.BytesIO(bytes(png))).convert("RGB"))


@functools.cache
def letters() -> tuple[tempfile.TemporaryDirectory[str], str]:
    """A font that is there on every machine: a folder with its file, which goes with this process, and its name.

    resvg draws no text in a font that it does not find, and has none of its own. Pillow has one.
    """
    from PIL import ImageFont

    font = ImageFont.load_default(20)
    if not isinstance(font, ImageFont.FreeTypeFont) or not isinstance(font.path, io.BytesIO):
        raise ImportError("this Pillow was built without FreeType and so has no font: install that of the package index")
    folder = tempfile.TemporaryDirectory(prefix="privateer-")
    (Path(folder.name) / LETTERS).write_bytes(font.path.getvalue())
    return folder, str(font.getname()[0])
