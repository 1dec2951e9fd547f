"""The pages of the site: the rooms' own files, as they lie in the repository. MkDocs calls what begins with on_.

Markdown, notebooks and the comments of doc.go are pages; whatever else a page links to is shown where the repository is
hosted.
"""

from __future__ import annotations

import base64
import json
import posixpath
import re
import subprocess
from pathlib import Path
from typing import Any

import command_reference
import grpc_reference
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")
PAGES = "notebooks/site/pages/"
PACKAGES = ["engine/doc.go", "env/doc.go", "serve/doc.go", "train/doc.go"]  # whose comments are pages
PICTURES = {"image/svg+xml": "svg", "image/png": "png"}


def tracked(*patterns: str) -> list[str]:
    """Files of the repository; those too that are not yet added."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return listed.stdout.splitlines()


def page_of(path: str) -> str:
    """Where the page of a file is: Markdown is its own, notebooks and doc.go get one."""
    return re.sub(r"\.ipynb$|(?<=\bdoc)\.go$", ".md", path.removeprefix(PAGES))


def on_config(config: MkDocsConfig) -> None:
    """Let the navigation name files as they are called in the repository."""

    def named(entry: Any) -> Any:
        if isinstance(entry, dict):
            return {title: named(below) for title, below in entry.items()}
        return [named(each) for each in entry] if isinstance(entry, list) else page_of(entry)

    config.nav = named(config.nav)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what lies in the rooms."""
    for path in tracked("*.md", "*.svg", "*.png", ":!notebooks/site", ":!.github"):
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    for path in PACKAGES:
        files.append(File.generated(config, page_of(path), content=package_comment((ROOT / path).read_text())))
    for path in tracked("notebooks/*.ipynb"):
        add_notebook(files, config, path)
    files.append(File.generated(config, "api/commands.md", content=command_reference.page(ROOT / ".build/site/privateer")))
    files.append(File.generated(config, "api/grpc.md", content=grpc_reference.page(ROOT / "serve/proto")))
    return files


def package_comment(source: str) -> str:
    """The comment of a Go package, whose format is nearly Markdown."""
    comment, _, clause = source.partition("\npackage ")
    lines = [re.sub(r"^//\s?(\t?)", lambda m: "    " if m[1] else "", line) for line in comment.splitlines() if line.startswith("//")]
    return f"# package {clause.split()[0]}\n\n" + "\n".join(lines) + "\n"


def add_notebook(files: Files, config: MkDocsConfig, path: str) -> None:
    """The page of a notebook, and its figures."""
    folder = path.removesuffix(".ipynb")
    text: list[str] = []
    figures = 0
    for cell in json.loads((ROOT / path).read_text())["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            text.append(source)
            continue
        text.append(fenced(source, "python"))
        for output in cell["outputs"]:
            data = output.get("data", {})
            kind = next((kind for kind in PICTURES if kind in data), None)
            if kind is not None:
                figures += 1
                shown = "".join(data[kind])
                name = f"{folder}/{figures}.{PICTURES[kind]}"
                content = base64.b64decode(shown) if kind == "image/png" else shown
                files.append(File.generated(config, name, content=content))
                text.append(f"![]({posixpath.basename(folder)}/{figures}.{PICTURES[kind]})")
            else:
                text.append(fenced("".join(output.get("text", data.get("text/plain", ""))), "text"))
    text.append(f"[This notebook]({posixpath.basename(path)}?source)")
    files.append(File.generated(config, page_of(path), content="\n\n".join(text)))


def fenced(text: str, language: str) -> str:
    return f"````{language}\n{text.rstrip()}\n````"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make links to what is no page lead to the repository's host."""
    here = page.file.src_uri
    home = PAGES + here if (ROOT / PAGES / here).exists() else here
    return linked(markdown, home, here, config, files)


def linked(markdown: str, home: str, here: str, config: MkDocsConfig, files: Files) -> str:
    """Links of a text of one file, as the page of another wants them; code is left alone."""

    def replaced(m: re.Match[str]) -> str:
        return f"{m[1]}({target(m[2], home, here, config, files)})"

    parts = re.split(r"(^ *(?:`{3,}).*?^ *`{3,} *$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.lstrip().startswith("```") else LINK.sub(replaced, part) for part in parts)


def target(link: str, home: str, here: str, config: MkDocsConfig, files: Files) -> str:
    """Where a link of a file leads on the site."""
    if re.match(r"[a-z]+:", link) or (link.startswith("#") and home == here):
        return link
    path, mark, fragment = link.partition("#")
    path, _, asked = path.partition("?")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(home), path)) if path else home  # in the repository
    if not asked:
        for page in (page_of(path), f"{path}/README.md"):
            if files.get_file_from_path(page):
                return posixpath.relpath(page, posixpath.dirname(here)) + mark + fragment
    if (ROOT / path).exists():
        return f"{config.repo_url}/{'tree' if (ROOT / path).is_dir() else 'blob'}/main/{path}{mark}{fragment}"
    return link  # MkDocs says that it leads nowhere
