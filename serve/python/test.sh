#!/usr/bin/env bash
# What the Python client needs, in virtual environments under .build of the
# repository.
#
#   test.sh          build the server, check types, run the tests
#   test.sh proto    generate privateer/v1 from ../proto
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../.build
python=${PYTHON:-python3}

# environment NAME PACKAGE…: a virtual environment that has the packages. It is
# made anew where the list or the interpreter has changed.
environment() {
	local dir=$build/python/$1 want
	shift
	want="$("$python" --version) $* $(cat "$here/pyproject.toml")"
	if [ "$(cat "$dir/made-for" 2>/dev/null)" != "$want" ]; then
		rm -rf "$dir"
		"$python" -m venv "$dir" && "$dir/bin/pip" install --quiet "$@" || return 1
		printf '%s\n' "$want" >"$dir/made-for"
	fi
}

if [ "${1:-}" = proto ]; then
	# The generated code works with this protobuf and the next major version.
	environment proto grpcio-tools==1.75.1 'setuptools<81'
	cd "$here"
	"$build/python/proto/bin/python" -m grpc_tools.protoc -I ../proto --python_out=. --pyi_out=. --grpc_python_out=. \
		privateer/v1/tensor.proto privateer/v1/environment.proto privateer/v1/policy.proto
	exit
fi

untested() {
	echo "python client: not tested: $1"
	exit 0
}
"$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || untested "there is no Python 3.10 with venv here"
if ! log=$(environment test --editable "$here[test]" 2>&1); then
	# pip says that it tries again where it does not reach an index.
	! grep -qE 'Retrying|Connection|Network is unreachable' <<<"$log" || untested "no Python package index can be reached"
	printf '%s\n' "$log"
	exit 1
fi
cd "$here/../.."
CGO_ENABLED=0 "${GO:-go}" build -o "$build/python/privateer" ./cmd/privateer
cd "$here"
PRIVATEER=$build/python/privateer "$build/python/test/bin/python" -m pytest -q "$@"
"$build/python/test/bin/python" -m mypy
