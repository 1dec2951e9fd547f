#!/bin/sh
# Makes libtorch ready for `go build -tags torch` and writes the one home of the
# compiler flags, .build/libtorch.env. Safe to run again: does only what is missing.
#
#   train/libtorch/setup.sh               install Debian's libtorch (Debian 12, amd64)
#   LIBTORCH=DIR train/libtorch/setup.sh  use the libtorch in DIR (include/ and lib/)
#
# DIR is an unpacked archive of libtorch 2.1 or 2.11 or the `torch` folder of such a Python wheel,
# with CUDA or without.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/.build
# shellcheck source=versions.env
. "$here/versions.env"

say() { echo "libtorch: $*" >&2; }
die() { say "$*"; exit 1; }

other="set LIBTORCH to a directory with include/ and lib/ of libtorch 2.1 or 2.11 (an unpacked archive, or the torch folder of a Python wheel)"

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"
	elif command -v sudo >/dev/null; then sudo "$@"
	else die "'$*' needs root and there is no sudo: run it as root, or $other"
	fi
}

apt_install() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >"$build/apt.log" 2>&1 ||
		die "apt-get install failed, the end of $build/apt.log: $(tail -n 3 "$build/apt.log")"
}

# True when exactly this version of a package is installed.
installed() { [ "$(dpkg-query -W -f '${Status} ${Version}' "$1" 2>/dev/null)" = "install ok installed $2" ]; }

# Fetches one pinned .deb into $build/debs and checks its hash. The package
# lists are refreshed only when they do not know the version.
fetch_deb() {
	if ! apt-cache show "$1=$2" >/dev/null 2>&1; then
		as_root apt-get update -q >"$build/apt.log" 2>&1 || die "apt-get update failed, see $build/apt.log"
	fi
	(cd "$build/debs" && apt-get download -q "$1=$2" >"$build/apt.log" 2>&1) ||
		die "cannot download $1 $2, which train/libtorch/versions.env pins: see $build/apt.log, or $other"
	got=$(sha256sum "$build/debs/$1"_*.deb | cut -d' ' -f1)
	[ "$got" = "$3" ] || die "$1 $2 has SHA-256 $got, but train/libtorch/versions.env pins $3: not installing it"
}

install_debian() {
	ID='' VERSION_ID=''
	[ ! -r /etc/os-release ] || . /etc/os-release
	[ "$ID" = debian ] && [ "$VERSION_ID" = "$DEBIAN_RELEASE" ] && [ "$(dpkg --print-architecture)" = "$DEBIAN_ARCH" ] ||
		die "this is not Debian $DEBIAN_RELEASE on $DEBIAN_ARCH, so nothing is installed for you: $other"
	rm -rf "$build/debs" && mkdir -p "$build/debs"
	missing=
	while read -r name version sha; do
		[ -n "$name" ] && ! installed "$name" "$version" || continue
		[ -n "$missing" ] || say "installing Debian packages (126 MB to download)"
		missing="$missing $name"
		fetch_deb "$name" "$version" "$sha"
	done <<-PACKAGES
		$DEBIAN_PACKAGES
	PACKAGES
	[ -z "$missing" ] || apt_install "$build"/debs/*.deb
	rm -rf "$build/debs"
}

ensure_compiler() {
	command -v g++ >/dev/null && command -v ar >/dev/null && return
	command -v apt-get >/dev/null || die "no C++ compiler: install g++ and binutils"
	say "installing g++"
	apt-cache show g++ >/dev/null 2>&1 || as_root apt-get update -q >/dev/null
	apt_install g++
}

make_stubs() {
	mkdir -p "$build/stubs"
	for lib in $CUDA_LIBS; do
		[ -e "$build/stubs/lib$lib.a" ] || ar rcs "$build/stubs/lib$lib.a"
	done
}

# Prints MAJOR.MINOR of the libtorch whose headers are in $1 and whose API's are in $2. Newer ones say it in a
# header that the older name includes.
torch_version() {
	printf '#include <torch/version.h>\nTORCH_VERSION_MAJOR.TORCH_VERSION_MINOR\n' |
		g++ -E -P -x c++ -I"$1" -I"$2" - | tail -n 1 | tr -d ' '
}

mkdir -p "$build"
ensure_compiler
make_stubs

if [ -n "${LIBTORCH:-}" ]; then
	prefix=$(cd "$LIBTORCH" 2>/dev/null && pwd) || die "LIBTORCH=$LIBTORCH is not a directory: $other"
	lib=$prefix/lib
	paths="$lib"
	cxx="-I$prefix/include"
else
	install_debian
	prefix=/usr
	lib=/usr/lib/x86_64-linux-gnu
	# Named first so that no other BLAS of the machine is picked up.
	paths="$lib/openblas-openmp:$lib"
	cxx=
fi

api=$prefix/include/torch/csrc/api/include
[ -e "$api/torch/version.h" ] || die "no $api/torch/version.h: $other"
[ -e "$lib/libtorch_cpu.so" ] || die "no $lib/libtorch_cpu.so: $other"
version=$(torch_version "$prefix/include" "$api")
case " $SUPPORTED_LIBTORCH " in
*" $version "*) ;;
*) die "libtorch $version in $prefix is not supported (supported: $SUPPORTED_LIBTORCH): $other" ;;
esac

cxx="-O2 -w${cxx:+ $cxx} -I$api"
# The header is found through CPATH, so that these flags, which key Go's build
# cache, are the same in every clone; its hash makes an edit count as a change.
[ "$version" = 2.1 ] || cxx="$cxx -include compat.h -DPRIVATEER_COMPAT=$(sha256sum "$here/compat.h" | cut -c1-8)"
# Wheels of that age are built with GCC's old strings; a function that returns
# one has the new ABI in its symbol or not.
nm -D --defined-only "$lib/libc10.so" | grep -q 'DeviceTypeNameB5cxx11' || cxx="$cxx -D_GLIBCXX_USE_CXX11_ABI=0"

# The old kind of rpath also holds for the libraries that libtorch loads, so a
# binary finds the right BLAS with no variable set.
ld="-L$lib -Wl,--disable-new-dtags,-rpath,$paths"
# torch_cuda registers itself when loaded and nothing refers to it, so the linker
# must be told to keep it, and it alone: caffe2_nvrtc, which gotch names too,
# would tie the program to machines with CUDA's driver. What torch_cuda itself needs
# may be missing here: a machine without CUDA can build for one that has it.
[ ! -e "$lib/libtorch_cuda.so" ] ||
	ld="$ld -Wl,--as-needed,--push-state,--no-as-needed -ltorch_cuda -Wl,--pop-state -Wl,--unresolved-symbols=ignore-in-shared-libs"

cat >"$build/libtorch.env.tmp" <<ENV
# Written by train/libtorch/setup.sh for libtorch $version in $prefix; do not edit.
export CGO_ENABLED=1
export CGO_CXXFLAGS="$cxx"
export CGO_LDFLAGS="$ld"
export CPATH="$here\${CPATH:+:\$CPATH}"
export LIBRARY_PATH="$build/stubs\${LIBRARY_PATH:+:\$LIBRARY_PATH}"
export LD_LIBRARY_PATH="$paths\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
ENV
mv "$build/libtorch.env.tmp" "$build/libtorch.env"
say "ready: libtorch $version in $prefix; flags in .build/libtorch.env"
