"""The page of the gRPC API, from the comments in the .proto files."""

from __future__ import annotations

import tempfile
from pathlib import Path

import grpc_tools
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

HEAD = """# gRPC API

What `privateer serve` offers, from its [.proto files](../serve/proto/privateer/v1/environment.proto). Any language that has gRPC can
generate a client of them. Calls that are refused have a `google.rpc.Status` that names the field, and the row if there is one.
"""


def page(proto: Path) -> str:
    """Markdown: services, then messages and enumerations, file by file."""
    files = offered(read(proto))
    text = [HEAD]
    for f in files:
        notes = Notes(f)
        for i, service in enumerate(f.service):
            text += [f"## {service.name}", notes.at(6, i), "", row("method", "takes", "returns", ""), row(*["---"] * 4)]
            for j, m in enumerate(service.method):
                takes = ("stream of " if m.client_streaming else "") + linked(m.input_type)
                returns = ("stream of " if m.server_streaming else "") + linked(m.output_type)
                text.append(row(f"`{m.name}`", takes, returns, notes.at(6, i, 2, j)))
            text.append("")
    for f in files:
        notes = Notes(f)
        text += [f"## {Path(f.name).name}", ""] if f.message_type or f.enum_type else []
        for i, message in enumerate(f.message_type):
            text += described(message, notes, (4, i), message.name)
        for i, enum in enumerate(f.enum_type):
            text += [f"### {enum.name}", notes.at(5, i), "", row("value", "number", ""), row(*["---"] * 3)]
            text += [row(f"`{v.name}`", str(v.number), notes.at(5, i, 2, j)) for j, v in enumerate(enum.value)] + [""]
    return "\n".join(text)


def read(proto: Path) -> list[FileDescriptorProto]:
    """The descriptors, with comments."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "descriptors"
        sources = [str(p.relative_to(proto)) for p in sorted(proto.glob("privateer/v1/*.proto"))]
        known = Path(grpc_tools.__file__).parent / "_proto"
        failed = protoc.main(["protoc", f"-I{proto}", f"-I{known}", "--include_source_info", f"--descriptor_set_out={out}", *sources])
        if failed:
            raise ValueError(f"protoc cannot read {proto}")
        return list(FileDescriptorSet.FromString(out.read_bytes()).file)


def offered(files: list[FileDescriptorProto]) -> list[FileDescriptorProto]:
    """The files of the services, and what these are made of: formats of the server's own are nobody else's business."""
    wanted = {f.name for f in files if f.service}
    for f in reversed(files):  # what is imported comes before
        if f.name in wanted:
            wanted.update(f.dependency)
    return [f for f in files if f.name in wanted and f.package.startswith("privateer")]


class Notes:
    """Comments by the path of what they stand at, as descriptors count it: field numbers and indices."""

    def __init__(self, f: FileDescriptorProto) -> None:
        self._by_path = {tuple(place.path): place.leading_comments or place.trailing_comments for place in f.source_code_info.location}

    def at(self, *path: int) -> str:
        """The comment, in a line."""
        return " ".join(self._by_path.get(path, "").split())


def described(message: DescriptorProto, notes: Notes, path: tuple[int, ...], name: str) -> list[str]:
    """A message, and those inside it."""
    text = [f"### {name}", notes.at(*path), ""]
    if message.field:
        text += [row("field", "type", "number", ""), row(*["---"] * 4)]
        text += [row(f"`{f.name}`", kind(f, message), str(f.number), notes.at(*path, 2, j)) for j, f in enumerate(message.field)] + [""]
    for j, inner in enumerate(message.nested_type):
        if not inner.options.map_entry:
            text += described(inner, notes, (*path, 3, j), f"{name}.{inner.name}")
    return text


def kind(f: FieldDescriptorProto, message: DescriptorProto) -> str:
    """The type of a field, linked if it is one of ours."""
    entry = next((n for n in message.nested_type if n.options.map_entry and f.type_name.endswith(f".{message.name}.{n.name}")), None)
    if entry is not None:
        return f"map of {kind(entry.field[0], entry)} to {kind(entry.field[1], entry)}"
    name = linked(f.type_name) if f.type_name else FieldDescriptorProto.Type.Name(f.type).removeprefix("TYPE_").lower()
    if f.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"list of {name}"
    if f.HasField("oneof_index") and not f.proto3_optional:
        return f"{name}, one of `{message.oneof_decl[f.oneof_index].name}`"
    return f"{name}, optional" if f.proto3_optional else name


def linked(full: str) -> str:
    name = full.removeprefix(".privateer.v1.")
    return f"[{name}](#{name.lower().replace('.', '')})" if not name.startswith(".") else f"`{name[1:]}`"


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
