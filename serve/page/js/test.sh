#!/usr/bin/env bash
# Tests the npm package that make npm wrote as its users have it: packed, installed, imported, compiled against, and in a real Chromium. What
# that needs is installed as serve/page/chromium/test.sh says.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
tools=$root/.build/page-test/node_modules
home=$root/.build/npm-test

"$root/serve/page/chromium/test.sh" packages
rm -rf "$home"
mkdir -p "$home"
cd "$home"
echo '{"private": true, "type": "module"}' >package.json
tarball=$(npm pack --silent --pack-destination . "$root/.build/npm")
npm install --silent --offline --no-audit --no-fund --ignore-scripts "./$tarball"
echo "$tarball: $(stat -c %s "$tarball") bytes"

cp "$here/module.test.mjs" .
node --test module.test.mjs
node node_modules/privateer/examples/node.mjs
"${GO:-go}" test -C "$root" ./serve/page/js -count=1 -v -package "$home/node_modules/privateer"

if [ ! -x "$tools/.bin/tsc" ]; then
	echo "npm: not compiled against, not linted, and not tried in Chromium"
	exit 0
fi
npm install --silent --no-audit --no-fund --no-save --ignore-scripts onnxruntime-node@1.30.0
"${GO:-go}" run -C "$root" ./cmd/privateer export captain --format onnx --out "$home/captain.onnx" >captain.log
node node_modules/privateer/examples/onnx.mjs captain.onnx

cp node_modules/privateer/examples/typed.ts .
"$tools/.bin/tsc" --noEmit --strict --target es2022 --module nodenext typed.ts
"$tools/.bin/tsc" --noEmit --strict --target es2022 --module esnext --moduleResolution bundler typed.ts
"$tools/.bin/publint" --strict node_modules/privateer
"$tools/.bin/attw" --profile esm-only "$tarball"
"$root/serve/page/chromium/test.sh" board "$home/node_modules/privateer"
