#!/usr/bin/env bash
# What the Python client needs, in virtual environments under .build of the
# repository.
#
#   test.sh             build the server, check types, run the tests
#   test.sh examples    the same for the examples, with a PyTorch that is installed or Debian's
#   test.sh notebooks   run the notebooks of the repository, with the same PyTorch; with --check, write nothing
#   test.sh site        build the documentation site into .build/site, and check its links
#   test.sh bench       measure the client beside the ceiling of gRPC, and peers that can be installed
#   test.sh libraries   run the tests beside other libraries, with a PyTorch of the package index without CUDA;
#                       packages alone installs what they need
#   test.sh ray         train, evaluate and write data on a Ray cluster of two nodes, of which one is killed; train with RLlib
#   test.sh wheels      build wheels with the program inside, and try this machine's in an empty environment: it plays and trains
#   test.sh proto       generate privateer/v1 from ../proto
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../.build
python=${PYTHON:-python3}

# environment NAME PACKAGE…: a virtual environment that has the packages, and those
# of $python itself if NAME is one of those that want its PyTorch. It is made again if the list or the
# interpreter has changed.
environment() {
	local dir=$build/python/$1 want site=()
	[[ " examples notebooks ray " != *" $1 "* ]] || site=(--system-site-packages)
	shift
	want="$python $("$python" --version) $* $(cat "$here/pyproject.toml")"
	if [ "$(cat "$dir/made-for" 2>/dev/null)" != "$want" ]; then
		rm -rf "$dir"
		"$python" -m venv "${site[@]}" "$dir" && "$dir/bin/pip" install --quiet "$@" || return 1
		printf '%s\n' "$want" >"$dir/made-for"
	fi
}

what=client
untested() {
	echo "python $what: not tested: $1"
	exit 0
}

# installed NAME PACKAGE…: environment, if this machine can have one.
installed() {
	local log
	"$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || untested "there is no Python 3.10 with venv here"
	if ! log=$(environment "$@" 2>&1); then
		# pip says that it tries again where it does not reach an index.
		! grep -qE 'Retrying|Connection|Network is unreachable' <<<"$log" || untested "no Python package index can be reached"
		printf '%s\n' "$log"
		exit 1
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

if [ "${1:-}" = site ]; then
	environment site mkdocs-material==9.8.1 mkdocs==1.6.1 mkdocstrings==1.0.8 mkdocstrings-python==2.0.11 griffe-sphinx==0.3.1 \
		grpcio-tools==1.75.1 'setuptools<81'
	CGO_ENABLED=0 "${GO:-go}" build -C "$here/../.." -o "$build/site/privateer" ./cmd/privateer # says what its commands are
	# Its hooks import each other; the variable is for the theme, which announces its successor in every build.
	PYTHONPATH=$here/../../notebooks/site NO_MKDOCS_2_WARNING=1 exec "$build/python/site/bin/mkdocs" build --strict -f "$here/../../notebooks/site/mkdocs.yml"
fi

if [ "${1:-}" = libraries ]; then
	shift
	what=libraries
	# With all that they need by name and nothing else, for PyTorch asks for gigabytes of CUDA on Linux.
	# shellcheck disable=SC2046 # one word each
	installed libraries --no-deps --no-compile $(cat "$here/libraries/requirements.txt") --editable "$here"
	[ "$(uname -s)" != Linux ] || "$build/python/libraries/bin/python" "$here/libraries/no_cuda.py"
	[ "${1:-}" != packages ] || exit 0
	(cd "$here/../.." && CGO_ENABLED=0 "${GO:-go}" build -o "$build/python/privateer" ./cmd/privateer)
	cd "$here"
	# What Numba compiles for Tianshou takes longer than what it saves.
	export PRIVATEER=$build/python/privateer OMP_NUM_THREADS=1 NUMBA_DISABLE_JIT=1
	"$build/python/libraries/bin/python" -m pytest -q libraries --ignore libraries/kaggle --ignore libraries/openenv --ignore libraries/verifiers "$@"
	# These want versions of others that exclude each other's.
	for alone in kaggle openenv verifiers; do
		# shellcheck disable=SC2046
		installed "$alone" --no-deps --no-compile $(cat "libraries/$alone/requirements.txt") --editable "$here"
		"$build/python/$alone/bin/python" -m pytest -q "libraries/$alone"
	done
	exit
fi

if [ "${1:-}" = wheels ]; then
	shift
	what=wheels
	to=$build/wheels empty=$build/python/empty
	rm -rf "$to" "$empty"
	installed wheels setuptools==84.2.1 wheel==0.48.0 twine==7.0.0 ziglang==0.17.1
	"$build/python/wheels/bin/python" "$here/wheels.py" "$to" "$@"
	"$build/python/wheels/bin/twine" check --strict "$to"/*.whl
	"$python" -m venv "$empty"
	"$empty/bin/pip" install --quiet --no-index --no-deps --find-links "$to" privateer # the one that pip takes here
	"$empty/bin/pip" install --quiet --no-cache-dir privateer                          # what it depends on
	# Neither Go nor a checkout: the program is the wheel's.
	cp "$here/examples/ppo.py" "$empty"
	cd "$empty"
	alone=(env -i "PATH=$empty/bin:/usr/bin:/bin" "HOME=$empty" OMP_NUM_THREADS=1)
	! "${alone[@]}" sh -c 'command -v go' || { echo "the test of the wheel has Go on its PATH"; exit 1; }
	"${alone[@]}" python -c '
import importlib.metadata, pathlib, shutil, subprocess, sys
import gymnasium, privateer
from privateer.library import find_library
with privateer.make("doubloons(seats=4)", 64, seed=1, autoreset="SAME_STEP") as session:
    session.reset()
    for _ in range(200):
        session.step(session.sample_actions())
if sys.platform == "linux":
    assert pathlib.Path(find_library()).samefile(pathlib.Path(privateer.__file__).with_name("libprivateer.so")), find_library()
    options = {"seed": 3, "players": ["", "policy:captain"], "autoreset": "SAME_STEP"}
    here, child = (privateer.make("doubloons(seats=2)", 5, inprocess=inprocess, **options) for inprocess in (True, False))
    here.reset(), child.reset()
    for _ in range(200):
        actions = child.sample_actions()
        one, other = here.step(actions), child.step(actions)
        for name in ("observation", "packed_mask", "current_player", "reward", "terminated", "truncated"):
            assert (getattr(one, name) == getattr(other, name)).all(), name
    here.close(), child.close()
gymnasium.make("privateer/Leduc-v1", opponents="random").reset(seed=1)
program = shutil.which("privateer")
assert program and (pathlib.Path(sys.executable).parent / "privateer").samefile(program), program
said = subprocess.run([program, "sim", "leduc", "--matches", "10"], check=True, capture_output=True, text=True).stdout
about = importlib.metadata.metadata("privateer")
assert about["Version"] == privateer.__version__ and about["License-Expression"] == "Apache-2.0", about
print("the wheel plays:", privateer.__version__, said.splitlines()[0])'
	# From a clone the program is that of the clone, as soon as that has one. Both lie outside of this one, whose program would be found.
	apart=$(mktemp -d)
	trap 'rm -rf "$apart"' EXIT
	clone=$apart/clone
	mkdir -p "$clone/serve"
	cp -r "$here" "$clone/serve"
	"$python" -m venv "$apart/empty"
	"$apart/empty/bin/pip" install --quiet --no-cache-dir "$clone/serve/python"
	cloned=(env -i "PATH=$apart/empty/bin:/usr/bin:/bin" "HOME=$empty" privateer sim leduc --matches 10)
	! said=$(cd / && "${cloned[@]}" 2>&1)
	grep 'make build' <<<"$said" || { echo "without a program it said: $said"; exit 1; }
	(cd "$here/../.." && CGO_ENABLED=0 "${GO:-go}" build -o "$clone/bin/privateer" ./cmd/privateer)
	(cd / && "${cloned[@]}")
	"$here/test.sh" libraries packages # of which it borrows PyTorch
	"${alone[@]}" PYTHONPATH="$(echo "$build"/python/libraries/lib/python3*/site-packages)" python ppo.py --total-timesteps 40000
	exit
fi

# find_torch finds an interpreter that has PyTorch.
find_torch() {
	local candidate
	for candidate in "$python" /usr/bin/python3; do
		if "$candidate" -c 'import torch' 2>/dev/null; then
			python=$candidate
			return
		fi
	done
	return 1
}

# with_torch sees to it that there is one. The wheels of the package index
# bring gigabytes of CUDA; Debian's package uses the libtorch that training is built with.
with_torch() {
	find_torch && return
	local apt=(apt-get install -y -q --no-install-recommends python3-torch python3-venv)
	[ "$(id -u)" = 0 ] || apt=(sudo -n "${apt[@]}")
	"${apt[@]}" >/dev/null 2>&1 || true
	find_torch || untested "no PyTorch is installed, and Debian's python3-torch cannot be"
}

bench=
if [ "${1:-}" = bench ]; then
	shift
	what=bench bench=1
fi
kind=test packages=(--editable "$here[test]")
if [ "${1:-}" = notebooks ]; then
	shift
	what=notebooks kind=notebooks packages=(--editable "$here[notebooks]" 'numpy<2')
	with_torch
fi
if [ "${1:-}" = ray ]; then
	shift
	what=ray kind=ray
	# NumPy and Arrow as an older PyTorch wants them.
	packages=(--editable "$here" 'ray[rllib]==2.60.0' 'pytest>=8' 'numpy<2' pyarrow==19.0.1)
	with_torch
	[ $# -gt 0 ] || set -- cluster libraries/test_notebook.py
fi
if [ "${1:-}" = examples ]; then
	shift
	what=examples kind=examples
	with_torch
	# A PyTorch from before NumPy 2 does not read its arrays.
	packages+=('numpy<2')
fi
installed "$kind" "${packages[@]}"
cd "$here/../.."
CGO_ENABLED=0 "${GO:-go}" build -o "$build/python/privateer" ./cmd/privateer
if [ "$kind" = test ]; then # with what inprocess=True loads, which a C compiler makes
	command -v gcc >/dev/null || apt-get install -y -q --no-install-recommends gcc libc6-dev
	make library
fi
cd "$here"
export PRIVATEER=$build/python/privateer
if [ "$kind" = examples ]; then
	"$build/python/examples/bin/python" -m pytest -q examples "$@"
	exit
fi
if [ "$kind" = ray ]; then
	OMP_NUM_THREADS=1 exec "$build/python/ray/bin/python" -m pytest -q "$@"
fi
if [ "$kind" = notebooks ]; then
	(
		cd "$here/../.."
		train/libtorch/setup.sh
		# shellcheck source=/dev/null
		. .build/libtorch.env
		"${GO:-go}" build -tags torch -o "$build/python/privateer-torch" ./cmd/privateer
	)
	export PRIVATEER_TORCH=$build/python/privateer-torch # for what trains; it takes seconds to start
	exec "$build/python/notebooks/bin/python" "$here/../../notebooks/run.py" "$@"
fi
if [ -n "$bench" ]; then
	(cd .. && "${GO:-go}" test -c -o "$build/python/ceiling" .)
	# In an environment of their own: what they need does not bind the client.
	environment peers --editable "$here" || untested "the client cannot be installed"
	for peer in envpool==1.2.5 open_spiel==2.0.2 'pgx==2.6.0 jax'; do
		# shellcheck disable=SC2086 # two words are two packages
		"$build/python/peers/bin/pip" install --quiet $peer || echo "bench: without $peer: it cannot be installed here"
	done
	exec "$build/python/peers/bin/python" bench.py "$build/python/ceiling" "$@"
fi
# Exported models are tried in the runtime of browsers too: under Node, and in Chromium where there is one.
if command -v npm >/dev/null; then
	"$here/../page/chromium/test.sh" packages
	if NODE_MODULES=$(cd "$build/page-test/node_modules" && pwd); then
		export NODE_MODULES
	fi
fi
"$build/python/test/bin/python" -m pytest -q "$@"
"$build/python/test/bin/python" -m mypy
