#!/usr/bin/env bash
# Tests as other machines that they choose and compute what this one does: the levels
# of amd64 that differ, 386 and arm64, each where this machine can run its programs. Where
# that needs qemu and PATH has none, Debian's is unpacked under .build of the repository.
set -euo pipefail
cd "$(dirname "$0")"

go=${GO:-go}
export CGO_ENABLED=0
os=$($go env GOOS) host=$($go env GOHOSTARCH)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
kinds=$("$go" tool dist list | tr '\n' ' ')
ran=0
build=$PWD/../../.build/qemu
export PATH=$PATH:$build/usr/bin

# download PACKAGE
download() {
	mkdir -p "$build"
	(cd "$build" && apt-get download -q "$1" && dpkg-deb -x "$1"_*.deb .)
}

installed() { command -v "$1" || command -v "$1-static"; }

# emulator ARCH PROGRAM: prints what runs programs of ARCH, nothing if they run by themselves.
emulator() {
	[ "$1" != "$host" ] && [ "$host/$1" != amd64/386 ] || return 0
	[ "$os" = linux ] || return 1
	if ! installed "$2" >/dev/null && ! download qemu-user-static >/dev/null 2>&1; then
		# A fresh machine knows no packages yet.
		apt-get update -q >/dev/null 2>&1 || true
		download qemu-user-static >/dev/null 2>&1 || download qemu-user >/dev/null 2>&1 || true
	fi
	installed "$2"
}

# as NAME ARCH QEMU SETTING…: the test, compiled with these settings.
as() {
	local name=$1 arch=$2 qemu=$3 run
	shift 3
	if [[ " $kinds " != *" $os/$arch "* ]]; then
		echo "$name: not run, there is none for $os"
		return
	fi
	if ! run=$(emulator "$arch" "$qemu"); then
		echo "$name: not run, $qemu is missing: install qemu-user"
		return
	fi
	[ "$arch" = "$host" ] || env GOARCH="$arch" "$@" "$go" build ../../... # all of it compiles for such machines
	env GOARCH="$arch" "$@" "$go" test -c -o "$folder/$name.test" .
	# shellcheck disable=SC2086 # $run is a program or nothing
	if ! $run "$folder/$name.test" -test.run '^$' >/dev/null 2>&1; then
		echo "$name: not run, this processor cannot"
		return
	fi
	echo "$name:"
	# shellcheck disable=SC2086
	$run "$folder/$name.test" -test.run 'Machine|Exp'
	ran=$((ran + 1))
}

as amd64-v1 amd64 qemu-x86_64 GOAMD64=v1
as amd64-v3 amd64 qemu-x86_64 GOAMD64=v3
as 386 386 qemu-i386 GO386=sse2
as arm64 arm64 qemu-aarch64 GOARM64=v8.0

[ "$ran" -gt 1 ] || { echo "fewer than two kinds of machine could be run: install qemu-user"; exit 1; }
