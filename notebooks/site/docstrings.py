"""Docstrings say :class:`Session`; the site links to it."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|meth|func|attr|data):`~?([\w.]+)`")


class Links(griffe.Extension):
    """Puts links of Markdown where a docstring has roles of Sphinx."""

    def on_package(self, *, pkg: griffe.Module, **kwargs: Any) -> None:
        """Names are looked up as the package exports them, and beside the object that names them."""
        self._link(pkg, pkg)

    def _link(self, obj: griffe.Object, package: griffe.Module) -> None:
        if obj.docstring:
            obj.docstring.value = ROLE.sub(lambda m: self._linked(m[1], obj, package), obj.docstring.value)
        for member in obj.members.values():
            if not member.is_alias:
                self._link(member, package)

    def _linked(self, name: str, obj: griffe.Object, package: griffe.Module) -> str:
        path = name.removeprefix("privateer.").split(".")
        owner = obj.parent if obj.parent is not None and obj.parent.is_class else obj
        if owner.is_class and path[0] in owner.members:
            path = [owner.name, *path]
        described = path[0] in (package.exports or ()) and not package.members[path[0]].is_attribute
        return f"[`{name}`][privateer.{'.'.join(path)}]" if described else f"`{name}`"
