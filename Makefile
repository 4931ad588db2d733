# Two commands do everything on a fresh machine: `make run` and `make test`.
.PHONY: help run build test fuzz bench peers clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

run: build ## build all, breed a Connect Four player in about a minute, make a page of it
	@target/release/lanista run experiments/quickstart.toml --store quickstart.db
	@target/release/lanista show last --store quickstart.db
	@target/release/lanista report last --store quickstart.db -o quickstart-report --force
	@target/release/lanista champion last --store quickstart.db -o champion.safetensors > /dev/null
	@echo "Open quickstart-report/report.html; or play against what was bred:"
	@echo "target/release/lanista play connect-four --against greedy:eval=mlp@champion.safetensors"

build: ## build the program, and a second time for processors with AVX2 (see docs/benchmarks.md)
	@scripts/setup
	cargo build --release --locked -p lanista-cli
	@scripts/build-v3

test: ## everything that must pass: format, lints, tests, documentation
	@scripts/setup test
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo test --workspace --locked
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

fuzz: ## run every fuzz target for SECONDS_EACH seconds (default 60); needs a nightly toolchain
	@scripts/fuzz

bench: build ## measure the speed of this machine
	target/release/lanista bench
	cargo bench --locked -p lanista-games -p lanista-nn -p lanista-lab --bench rules --bench networks --bench learners

peers: build ## compare with other programs: rules and speed (installs them in a virtual environment)
	bench/peers/run
	bench/peers/evolution/run

clean: ## remove everything that was built
	cargo clean
