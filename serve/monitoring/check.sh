#!/usr/bin/env bash
# What Prometheus' parsers, and then a real Prometheus, make of the metrics, the alert rules and the dashboard.
# This folder is a module of its own, so that nobody who uses privateer depends on Prometheus' server.
# Where PATH has no prometheus and promtool, Debian's are unpacked under .build of the repository; where they
# cannot be had, it says so in one line.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$PWD/.build/prometheus
go=${GO:-go}

"$go" test -C serve/monitoring -count=1 .

have() { command -v promtool >/dev/null && command -v prometheus >/dev/null; }

download() {
	mkdir -p "$build"
	(cd "$build" && apt-get download -q prometheus && dpkg-deb -x prometheus_*.deb .)
}

export PATH=$PATH:$build/usr/bin
if ! have && ! download >/dev/null 2>&1; then
	# A fresh machine knows no packages yet.
	apt-get update -q >/dev/null 2>&1 || true
	download >/dev/null 2>&1 || true
fi
if ! have; then
	echo "monitoring: not checked by Prometheus: there is no promtool, and Debian's cannot be downloaded"
	exit 0
fi
"$go" test -C serve/monitoring -count=1 -tags prometheus .
