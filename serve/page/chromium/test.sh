#!/usr/bin/env bash
# Plays whole matches on the page in a real Chromium. What it needs besides Go is installed: Debian's chromium and
# Node.js, and the packages of package-lock.json. Screenshots stay in .build/page.
#
#   test.sh                   the page of the native program
#   test.sh URL [FOLDER]      a page that is served already
#   test.sh onnx [STEM…]      exported policies in onnxruntime-web instead, as onnx.mjs says; by default the zoo's, in 1,000
#                             decisions each
#   test.sh board FOLDER      a board of one's own with the npm package in a folder, as board.mjs says
#   test.sh packages          only install the packages, into .build/page-test/node_modules
#
# MATCHES says which, as "doubloons:4 jolly_roger:6:policy".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
read -ra matches <<<"${MATCHES:-doubloons:2:policy doubloons:6 jolly_roger:3:policy jolly_roger:6 jolly_roger:10 kuhn:2 kuhn:3 leduc:2 liars_dice:2}"

untested() {
	echo "page: not tested: $1"
	exit 0
}

need=()
[ "${1:-}" = packages ] || command -v chromium >/dev/null || need+=(chromium)
command -v npm >/dev/null || need+=(nodejs npm)
if [ ${#need[@]} -gt 0 ]; then
	as=()
	[ "$(id -u)" = 0 ] || as=(sudo -n)
	"${as[@]}" apt-get update -q >/dev/null 2>&1 || true # the lists that are here may do
	"${as[@]}" apt-get install -y -q --no-install-recommends "${need[@]}" >/dev/null 2>&1 || untested "${need[*]} cannot be installed here"
fi

tools=$root/.build/page-test
mkdir -p "$tools"
if ! cmp -s "$here/package-lock.json" "$tools/made-for"; then
	cp "$here/package.json" "$here/package-lock.json" "$tools"
	if ! log=$(cd "$tools" && npm ci --no-audit --no-fund --ignore-scripts 2>&1); then
		! grep -qE 'ENOTFOUND|ECONNREFUSED|ETIMEDOUT|network connectivity' <<<"$log" || untested "no package registry can be reached"
		printf '%s\n' "$log"
		exit 1
	fi
	cp "$here/package-lock.json" "$tools/made-for"
fi
[ "${1:-}" != packages ] || exit 0
CHROMIUM=$(command -v chromium)
export CHROMIUM
cp "$here/play.mjs" "$here/browser.mjs" "$tools"

if [ "${1:-}" = board ]; then
	exec node "$here/board.mjs" "$tools/node_modules" "$2"
fi
if [ "${1:-}" = onnx ] && [ $# -gt 1 ]; then
	exec node "$here/onnx.mjs" "$tools/node_modules" "${@:2}"
fi
if [ $# -gt 0 ] && [ "$1" != onnx ]; then
	exec node "$tools/play.mjs" "$1" "${2:-$root/.build/page}" "${matches[@]}"
fi
CGO_ENABLED=0 "${GO:-go}" build -C "$root" -o "$tools/privateer" ./cmd/privateer
if [ "${1:-}" = onnx ]; then
	stems=()
	for bundle in "$root"/encode/policy/zoo/*.bundle; do
		stem=$tools/$(basename "$bundle" .bundle)
		cp "$bundle" "$stem.bundle"
		"$tools/privateer" export "$stem.bundle" --format onnx --golden 1000 --out "$stem.onnx" >/dev/null
		stems+=("$stem")
	done
	exec node "$here/onnx.mjs" "$tools/node_modules" "${stems[@]}"
fi
"$tools/privateer" play kuhn --web >"$tools/said" &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do
	url=$(grep -o 'http://[^ ]*' "$tools/said") && break
	sleep .1
done
node "$tools/play.mjs" "$url" "$root/.build/page" "${matches[@]}"
