#!/usr/bin/env bash
# Has the example clients play a match each against the captain of a server that it starts. What they need besides Go is installed: Debian's Node.js and
# Maven, and the packages that package-lock.json and pom.xml name. All is built in .build/clients.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
work=$root/.build/clients
mkdir -p "$work/typescript"

need=()
command -v npm >/dev/null || need+=(nodejs npm)
command -v javac >/dev/null || need+=(default-jdk-headless)
command -v mvn >/dev/null || need+=(maven)
if [ ${#need[@]} -gt 0 ]; then
	apt-get install -y -q --no-install-recommends "${need[@]}" || { apt-get update -q && apt-get install -y -q --no-install-recommends "${need[@]}"; }
fi

CGO_ENABLED=0 "${GO:-go}" build -C "$root" -o "$work/privateer" ./cmd/privateer
"$work/privateer" serve --addr 127.0.0.1:0 --metrics-addr 127.0.0.1:0 >"$work/serve.log" 2>&1 &
server=$!
trap 'kill $server' EXIT
until address=$(grep -soE '127\.0\.0\.1:[0-9]+' "$work/serve.log" | head -n 1) && [ -n "$address" ]; do
	kill -0 $server || { cat "$work/serve.log"; exit 1; }
	sleep 0.1
done

# ended NAME COMMAND…: whether a client has played a match to its end.
ended() {
	local name=$1
	shift
	"$@" >"$work/$name.log" || { cat "$work/$name.log"; exit 1; }
	grep -E '^over after [0-9]{2,} decisions: returns -?[01]\.[0-9]{2} and -?[01]\.[0-9]{2}' "$work/$name.log" | sed "s/^/$name: /"
}

cp "$here"/typescript/* "$work/typescript"
cd "$work/typescript"
npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
rm -rf generated
npx proto-loader-gen-types --includeDirs "$root/serve/proto" --longs=String --defaults --grpcLib=@grpc/grpc-js --importFileExtension=.js --outDir=generated privateer/v1/policy.proto >/dev/null
npx tsc
ended typescript node play.js "$address" "$root/serve/proto"

cd "$here/java"
mvn -q -B -Dstyle.color=never compile
ended java mvn -q -B -Dstyle.color=never exec:java -Dexec.args="$address"
