# `make` alone lists the targets. Everything works from any clone: what a target
# needs and can have, it sets up. Checks that only a change needs are stages of .ci/run.

GO       ?= go
CONFIG   ?= train/configs/quickstart.yaml
# A count of inputs for each target: a span of time (1m) works too, but when it
# ends, Go before 1.27 sometimes reports a failure that is none (go.dev/issue/75804).
FUZZTIME ?= 20000x
BENCH    ?= .
# What the page without a server and the JavaScript package can play with: bundles, by default the zoo's.
POLICIES ?= $(wildcard encode/policy/zoo/*.bundle)
# The ending of a shared library here.
LIBRARY  := $(if $(filter Windows_NT,$(OS)),dll,$(if $(filter Darwin,$(shell uname -s)),dylib,so))
BUF      := github.com/bufbuild/buf/cmd/buf@v1.66.0
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.11.0
ACTIONLINT := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

# The compiler flags for libtorch have one home, which setup.sh writes.
TORCH := . ./.build/libtorch.env && $(GO)

.PHONY: help train captain pirate build build-torch test npm page space library wheels release site notebooks leaderboard reference bench lint fuzz proto clean go xz libtorch

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

train: build-torch ## set up what training needs, then train CONFIG, with the flags in ARGS
	./bin/privateer train --config $(CONFIG) $(ARGS)

captain: CONFIG = train/configs/captain.yaml
captain: train ## train the captain that comes with the program, from nothing, in an hour and a half

pirate: CONFIG = train/configs/pirate.yaml
pirate: train ## train the pirate that comes with the program, from nothing, in three hours

build: go ## build bin/privateer without training
	CGO_ENABLED=0 $(GO) build -o bin/ ./cmd/...

build-torch: go libtorch ## build bin/privateer with training; the first time takes minutes
	$(TORCH) build -tags torch -o bin/ ./cmd/...

test: go ## run all Go tests, those of training with libtorch, and those of the Python client
	CGO_ENABLED=0 $(GO) test -timeout 30m ./...
	CGO_ENABLED=0 $(GO) test -C serve/monitoring .
	@train/libtorch/setup.sh
	$(TORCH) test -tags torch -timeout 30m ./train/... ./cmd/...
	@serve/python/test.sh

wheels: go ## build the Python wheels, with the program inside, into .build/wheels, and try this machine's
	@serve/python/test.sh wheels

release: wheels npm ## write archives, wheels, npm package, C libraries for Linux, SBOMs and checksums into .build/release
	@python3 .ci/release .build/release

npm: go xz ## write the JavaScript package, with the POLICIES, into .build/npm
	@$(GO) run ./serve/page/build --npm --out .build/npm --policies "$(POLICIES)"

page: go xz ## write the page that needs no server, with the POLICIES, into .build/static
	@$(GO) run ./serve/page/build --policies "$(POLICIES)"

space: page ## write that page with a card and the licence, for a host such as Hugging Face Spaces, into .build/space
	@rm -rf .build/space && cp -r .build/static .build/space
	@cp serve/page/static/space.md .build/space/README.md && cp LICENSE .build/space/

# Without gRPC's tracing, whose templates may call any method, the linker leaves out all of a server that only a network needs.
library: go ## compile the library for other languages, libprivateer and privateer.h, into .build/library
	@mkdir -p .build/library
	CGO_ENABLED=1 $(GO) build -buildmode=c-shared -tags grpcnotrace -trimpath -ldflags "-s -w" -o .build/library/libprivateer.$(LIBRARY) ./serve/library
	@rm -f .build/library/libprivateer.h && cp serve/library/privateer.h .build/library/

reference: build ## write the reference data set, ten million decisions of both games, into .build/reference
	bin/privateer dataset "doubloons(seats=4)" --players policy:captain@1,heuristic2,heuristic,greedy,random --matches 18432 --seed 2026 --rows -o .build/reference/doubloons-4
	bin/privateer dataset "jolly_roger(seats=6)" --players policy:pirate@2,heuristic2,heuristic,policy:pirate@2,greedy,heuristic,random --matches 11264 --seed 2026 --rows -o .build/reference/jolly-6

notebooks: go ## run the notebooks in a virtual environment and write their outputs into them
	@serve/python/test.sh notebooks

site: go ## build the documentation site into .build/site/html, and fail if a link leads nowhere
	@GO=$(GO) serve/python/test.sh site

leaderboard: go ## write the leaderboard of the folders in notebooks/benchmark
	$(GO) run ./cmd/privateer benchmark --table $(sort $(wildcard notebooks/benchmark/*/)) --out notebooks/benchmark

fuzz: go ## run every fuzz target for FUZZTIME, a count (20000x) or a span (1m)
	@for pkg in $$(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n 1 dirname | sort -u); do \
		for target in $$(git grep -hoE '^func Fuzz[A-Za-z0-9_]+' -- "$$pkg/*_test.go" ":!$$pkg/*/*" | cut -c6-); do \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./$$pkg || exit 1; \
		done; \
	done

bench: go libtorch ## run the benchmarks that match BENCH
	$(TORCH) test -tags torch -run '^$$' -bench '$(BENCH)' -benchmem ./...

lint: go ## check format and lint
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
		[ -z "$$unformatted" ] || { echo "run gofmt -w on: $$unformatted"; exit 1; }
	$(GO) run $(ACTIONLINT)
	$(GO) vet ./...
	$(GO) run $(GOLANGCI) run ./...
	cd serve/monitoring && $(GO) run $(GOLANGCI) run --build-tags prometheus .
	@[ ! -e .build/libtorch.env ] || { . ./.build/libtorch.env && $(GO) run $(GOLANGCI) run --build-tags torch ./train/... ./cmd/...; }

proto: go ## lint the .proto files and generate their Go and Python code
	cd serve/proto && $(GO) run $(BUF) lint && $(GO) run $(BUF) generate
	serve/python/test.sh proto

clean: ## remove what was built; runs stay
	rm -rf bin .build

go:
	@command -v $(GO) >/dev/null || { echo "no Go here: install Go 1.26 or newer from https://go.dev/dl and put it on PATH"; exit 1; }

xz:
	@command -v xz >/dev/null || apt-get install -q -y --no-install-recommends xz-utils || { apt-get update -q && apt-get install -q -y --no-install-recommends xz-utils; }

libtorch:
	@train/libtorch/setup.sh
