# `make` alone lists the targets. Everything works from any clone: what a target
# needs and can have, it sets up.

GO       ?= go
CONFIG   ?= train/configs/quickstart.yaml
# A count of inputs for each target: a span of time (1m) works too, but when it
# ends, Go before 1.27 sometimes reports a failure that is none (go.dev/issue/75804).
FUZZTIME ?= 20000x
BENCH    ?= .
# What the page without a server can play with: bundles, by default the zoo's, without the captain whom another has overtaken.
POLICIES ?= $(filter-out %/captain-1.bundle,$(wildcard encode/policy/zoo/*.bundle))
BUF      := github.com/bufbuild/buf/cmd/buf@v1.66.0
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.11.0

# The compiler flags for libtorch have one home, which setup.sh writes.
TORCH := . ./.build/libtorch.env && $(GO)

.PHONY: help train build build-torch test python-test page-test onnx-test ray libraries wheels portable notebooks race manifests honesty fuzz curves bench lint proto clean go libtorch

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

train: build-torch ## set up what training needs, train CONFIG (more flags in ARGS), say if the run is
	./bin/privateer train --config $(CONFIG) $(ARGS)

build: go ## build bin/privateer without training
	CGO_ENABLED=0 $(GO) build -o bin/ ./cmd/...

build-torch: go libtorch ## build bin/privateer with training; the first time takes minutes
	$(TORCH) build -tags torch -o bin/ ./cmd/...

test: go ## test everything, then what trains against libtorch, then the Python client
	CGO_ENABLED=0 $(GO) test -timeout 30m ./...
	@train/libtorch/setup.sh
	$(TORCH) test -tags torch -timeout 30m ./train/... ./cmd/...
	@serve/python/test.sh

python-test: go ## test the Python client in a virtual environment that it makes
	@serve/python/test.sh

page-test: go ## play matches on the page in a real Chromium, which is installed; screenshots stay in .build/page
	@GO=$(GO) serve/page/chromium/test.sh

onnx-test: go ## run the zoo's exported ONNX in onnxruntime-web in a real Chromium and compare with the program
	@GO=$(GO) serve/page/chromium/test.sh onnx

ray: go ## train, evaluate and gather on a Ray cluster of two nodes, of which one is killed
	@serve/python/test.sh ray

libraries: go ## test what other libraries do with the Python client; downloads half a gigabyte of PyTorch once
	@serve/python/test.sh libraries

wheels: go ## build the Python wheels, with the program inside, into .build/wheels, and try this machine's
	@serve/python/test.sh wheels

.PHONY: page static-test
page: go ## write the page that needs no server, with the POLICIES, into .build/static
	@command -v xz >/dev/null || apt-get install -q -y --no-install-recommends xz-utils || { apt-get update -q && apt-get install -q -y --no-install-recommends xz-utils; }
	@$(GO) run ./serve/page/build --policies "$(POLICIES)"

static-test: page ## test under Node that the page's program computes what the native one does, and play on it in Chromium
	@command -v node >/dev/null || apt-get install -q -y --no-install-recommends nodejs || { apt-get update -q && apt-get install -q -y --no-install-recommends nodejs; }
	$(GO) test ./serve/page/wasm/trace -v -page "$$PWD/.build/static"
	@serve/page/static/test.sh

portable: go ## test that other kinds of machines choose and compute the same
	@GO=$(GO) engine/portable/check.sh

notebooks: go ## run the notebooks in a virtual environment and write their outputs into them
	@serve/python/test.sh notebooks

.PHONY: site image-steps
site: go ## build the documentation site into .build/site/html, and fail if a link leads nowhere
	@GO=$(GO) serve/python/test.sh site

image-steps: go ## run the Dockerfile's steps in a Debian of debootstrap, where no image can be built; needs root and minutes
	@command -v debootstrap >/dev/null || { apt-get update -q && apt-get install -q -y --no-install-recommends debootstrap; }
	@python3 .ci/dockerfile

race: go ## test everything but libtorch under the race detector
	CGO_ENABLED=1 $(GO) test -race -timeout 30m ./...

manifests: go ## hold the Kubernetes manifests against Kubernetes' own schemas
	@GO=$(GO) serve/kubernetes/check.sh

honesty: go ## test at ten million decisions that no bot sees what its seat may not know; minutes of a core
	$(GO) test -timeout 24h ./engine/search -run TestEveryBotChoosesTheSameWhateverIsHidden -honesty 10000000

fuzz: go ## run every fuzz target for FUZZTIME, a count (20000x) or a span (1m)
	@for pkg in $$(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n 1 dirname | sort -u); do \
		for target in $$(git grep -hoE '^func Fuzz[A-Za-z0-9_]+' -- "$$pkg/*_test.go" ":!$$pkg/*/*" | cut -c6-); do \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./$$pkg || exit 1; \
		done; \
	done

curves: go ## print how the exploitability of information-set search falls with its budget, on Kuhn and Leduc
	$(GO) test ./engine/search -run Exploitability -curve -v -timeout 30m

bench: go libtorch ## run the benchmarks that match BENCH
	$(TORCH) test -tags torch -run '^$$' -bench '$(BENCH)' -benchmem ./...

lint: go ## check format and lint
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
		[ -z "$$unformatted" ] || { echo "run gofmt -w on: $$unformatted"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(GOLANGCI) run ./...
	$(GO) run $(GOLANGCI) run --build-tags prometheus ./serve/monitoring
	@[ ! -e .build/libtorch.env ] || { . ./.build/libtorch.env && $(GO) run $(GOLANGCI) run --build-tags torch ./train/... ./cmd/...; }

proto: go ## lint the .proto files and generate their Go and Python code again
	cd serve/proto && $(GO) run $(BUF) lint && $(GO) run $(BUF) generate
	serve/python/test.sh proto

clean: ## remove what was built; runs stay
	rm -rf bin .build

go:
	@command -v $(GO) >/dev/null || { echo "no Go here: install Go 1.26 or newer from https://go.dev/dl and put it on PATH"; exit 1; }

libtorch:
	@train/libtorch/setup.sh
