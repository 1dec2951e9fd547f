#!/usr/bin/env bash
# Serves the folder that make page wrote as any static host would, and plays on it in a real Chromium.
set -euo pipefail
cd "$(dirname "$0")/../../.."
said=$(mktemp)
python3 -u -m http.server 0 --bind 127.0.0.1 --directory .build/static >"$said" 2>/dev/null &
server=$!
trap 'kill $server; rm "$said"' EXIT
for _ in $(seq 100); do
	url=$(grep -o 'http://[^ )]*' "$said") && break
	sleep .1
done
serve/page/chromium/test.sh "$url" .build/static-screenshots
