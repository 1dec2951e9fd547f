"""Every link of the finished site leads somewhere, and every public name of the Python package has an entry. MkDocs itself looks at links of Markdown alone."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError


class _Html(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.links.add(value)
            elif name in ("id", "name") and value is not None:
                self.anchors.add(value)


def on_post_build(config: MkDocsConfig) -> None:
    """Refuse a site in which a link, a picture, an anchor or a name is missing."""
    site = Path(config.site_dir).resolve()
    pages = {path: _Html(path.read_text()) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    described = pages[site / "api" / "python" / "index.html"].anchors
    missing = [name for name in _public(Path(config.config_file_path).parents[2] / "serve" / "python") if name not in described]
    if missing:
        raise PluginError("of these the Python API has no entry:\n" + "\n".join(missing))
    broken = []
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            to = to / "index.html" if to.is_dir() else to
            if not to.exists() or (parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].anchors):
                broken.append(f"{path.relative_to(site)}: {link}")
    if broken:
        raise PluginError("links that lead nowhere:\n" + "\n".join(broken))


def _public(folder: Path) -> list[str]:
    """What the package exports, and what its own classes have, by the names that users write."""
    package = griffe.load("privateer", search_paths=[folder], resolve_aliases=True)
    names = []
    for export in sorted(set(map(str, package.exports or ())) - {"__version__", "open"}):  # open is another name of make
        names.append(f"privateer.{export}")
        of = package[export]
        if of.is_class:
            names += [f"privateer.{export}.{name}" for name in of.all_members if not name.startswith("_")]
    return names
