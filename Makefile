# Two commands do everything on a fresh machine: `make run` and `make test`.
.PHONY: help run build ui test test-browser fuzz bench peers pictures studies clean

# Node as scripts/setup installs it where there is none.
export PATH := $(CURDIR)/.tools/node/bin:$(PATH)

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

run: build ## build all, breed a Connect Four player in about a minute, open the laboratory in the browser; Ctrl-C ends it
	@[ -e lanista.db ] || target/release/lanista run experiments/quickstart.toml
	@target/release/lanista serve $(SERVE)

build: ui ## build the program, and a second time for processors with AVX2 (see docs/benchmarks.md)
	@scripts/setup
	cargo build --release --locked -p lanista-cli
	@scripts/build-v3

ui: ## build the browser application, which the program carries inside; says what is missing without Node
	@scripts/build-ui

# From nothing, what incremental builds keep for later only costs time.
test: export CARGO_INCREMENTAL ?= $(if $(CI),0,1)
test: ## everything that must pass: format, lints, tests, documentation, the browser application
	@scripts/setup test
	@scripts/build-ui --required
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo test --workspace --locked
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	cd ui && npm test --silent

test-browser: ## the browser tests alone, with the program as it was last built for tests
	@scripts/setup test
	@scripts/build-ui --required
	cargo build --locked -p lanista-cli
	cd ui && npm test --silent

pictures: build ## make the pictures of the README and the guide anew, from real runs
	@scripts/setup test
	cd ui && npm run --silent screenshots

fuzz: ## run every fuzz target for SECONDS_EACH seconds (default 60); needs a nightly toolchain
	@scripts/fuzz

bench: build ## measure the speed of this machine
	target/release/lanista bench
	cargo bench --locked -p lanista-games -p lanista-nn -p lanista-lab --bench rules --bench networks --bench learners

peers: build ## compare with other programs: rules and speed (installs them in a virtual environment)
	bench/peers/run
	bench/peers/evolution/run

SCALE ?= small
studies: build ## run all studies that are not in studies.db yet and report them; SCALE=hour or SCALE=full writes docs/studies
	target/release/lanista studies --scale $(SCALE) $(if $(filter small,$(SCALE)),,-o docs/studies)

clean: ## remove everything that was built
	cargo clean
	rm -rf ui/dist ui/node_modules
