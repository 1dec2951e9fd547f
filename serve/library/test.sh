#!/usr/bin/env bash
# Compiles the examples against the library that make library has written, plays matches with each, and has a hostile host try it. What it needs
# besides Go is installed: a C compiler, and rustc and Mono from Debian.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
lib=$root/.build/library
work=$root/.build/library-test
mkdir -p "$work"

need=()
command -v gcc >/dev/null || need+=(gcc libc6-dev)
command -v rustc >/dev/null || need+=(rustc)
command -v mcs >/dev/null || need+=(mono-mcs mono-runtime)
if [ ${#need[@]} -gt 0 ]; then
	apt-get install -y -q --no-install-recommends "${need[@]}" || { apt-get update -q && apt-get install -y -q --no-install-recommends "${need[@]}"; }
fi

# It may grow with the rules, and not by a server's network, of which its own sessions need nothing.
size=$(stat -c %s "$lib/libprivateer.so")
[ "$size" -le 19000000 ] || { echo "libprivateer.so has $size bytes: want at most 19 million; what has come in by go list -deps?"; exit 1; }

cc=(gcc -std=c11 -O2 -Wall -Wextra -Werror -I "$lib" -L "$lib" -Wl,-rpath,"$lib")
"${cc[@]}" -o "$work/play" "$here/examples/play.c" -lprivateer
rustc -O -L "$lib" -C "link-args=-Wl,-rpath,$lib" -o "$work/play-rust" "$here/examples/play.rs"
mcs -warnaserror -out:"$work/Play.exe" "$here/examples/Play.cs"
"${GO:-go}" test -C "$root" ./serve/library -count=1 -run Examples -v -programs "$work/play;$work/play-rust;env LD_LIBRARY_PATH=$lib mono $work/Play.exe;python3 $here/examples/play.py $lib/libprivateer.so"

[ -x "$work/python/bin/pip" ] || python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet numpy==2.2.6 onnxruntime==1.23.2
"${GO:-go}" run -C "$root" ./cmd/privateer export captain --format onnx --out "$work/captain.onnx" >/dev/null
"$work/python/bin/python" "$here/examples/onnx.py" "$lib/libprivateer.so" "$work/captain.onnx"
"${GO:-go}" run -C "$root" ./cmd/privateer conform "exec(ms=20000):$work/python/bin/python env/match/child/examples/onnx.py $work/captain.onnx" --game "doubloons(seats=2,advice=foresight)"

sed -n '/^```c$/,/^```$/p' "$here/README.md" | sed '1d;$d' >"$work/match.c"
"${cc[@]}" -o "$work/match" "$work/match.c" -lprivateer
"$work/match"

"${cc[@]}" -D_GNU_SOURCE -g -fstack-protector-all -fsanitize=address,undefined -o "$work/hostile" "$here/testdata/hostile.c" -lprivateer -lpthread
"$work/hostile"
echo "a hostile host: every call is an error by its code, and the library continues"
