# Every target works on a fresh clone: what it needs is installed or built first. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
BIN := node_modules/.bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Type-checked sources that the build reads, and the data that it copies.
SOURCES := $(shell find services gateway sandbox cluster local sdk cli proto/gen test \( -name '*.ts' -o -name '*.json' \) \
  -not -path '*/node_modules/*' -not -path '*/.generated/*' -not -path 'sdk/dist/*' -not -path 'cli/dist/*' 2>/dev/null) $(wildcard docs/guides/*.md)

.PHONY: help setup proto sdk build lint test test-unit test-integration test-e2e test-console test-hostile test-mongo test-cluster test-containers test-long mutants bench demo trace-demo run clean-data chart chart-values image compose-secrets schema-versions

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  %-18s %s\n", $$1, $$2}'

setup: build ## Install the npm packages (Node 24 among them) and nats-server, and compile
	@node dist/local/cli/setup.js

node_modules/.installed: package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

# Generators of clients, with the TypeScript that they need, and the oldest Node of our own: what strangers have, apart from what is ours.
test/clients/node_modules/.installed: test/clients/package.json test/clients/package-lock.json
	npm ci --prefix test/clients --ignore-scripts --no-audit --no-fund
	@touch $@

proto: node_modules/.installed ## Format the proto files and generate proto/gen from them
	npm run --silent proto

build: dist/.built dist/.console ## Compile everything to dist/, and the console to dist/console

sdk: build ## Generate the client's types from the route tables and the country schemas
	npm run --silent sdk

# What browsers get. Types of the client are all that it takes from elsewhere.
CONSOLE := $(shell find console sdk/src -type f -not -name '*.test.ts' 2>/dev/null)

dist/.built: node_modules/.installed tsconfig.json $(SOURCES)
	tsc -p .
	@node local/copy-data.mjs
	@touch $@

dist/.console: node_modules/.installed $(CONSOLE)
	vite build --config console/vite.config.mts
	@mkdir -p dist && touch $@

lint: build ## Format, type-aware lint, import boundaries, dead code, proto lint and drift, chart
	node local/lint.mjs

test: setup test/clients/node_modules/.installed ## Everything that the continuous integration runs, with a plain total at the end
	node local/run-tests.mjs lint unit integration e2e console hostile mutants containers

test-unit: setup ## Tests of pure code, beside their files
	node local/run-tests.mjs unit

test-integration: setup test/clients/node_modules/.installed ## One service at a time on a real store, bus and gRPC
	node local/run-tests.mjs integration

test-e2e: setup test/clients/node_modules/.installed ## The whole platform as processes, through the gateway
	node local/run-tests.mjs e2e

test-console: setup ## The console in Chromium, page by page, on the real platform
	node local/run-tests.mjs console

test-hostile: setup ## The payment service among providers that answer anything, and a drill
	node local/run-tests.mjs hostile

test-mongo: setup test/clients/node_modules/.installed ## Integration and e2e on the MongoDB of MONGODB_URI, or a mongod on PATH; skipped, loudly, without one
	node local/run-tests.mjs mongo

test-cluster: setup ## The chart on a control plane: the programs of KUBEBUILDER_ASSETS, or what CORRIDOR_KUBECONFIG names; fails without one
	node local/run-tests.mjs cluster

mutants: setup test/clients/node_modules/.installed ## Break the code in one line at a time: a test has to notice each
	node local/run-tests.mjs all-mutants

test-containers: setup ## Two replicas of everything as containers, one of each killed, and the suites on official images; skipped where no engine can be had
	node local/run-tests.mjs containers official

test-long: setup test/clients/node_modules/.installed ## All suites with their full random counts
	RANDOM_FACTOR=10 node local/run-tests.mjs lint unit integration e2e console hostile all-mutants containers

bench: setup ## Measure against bars; exits 1 below a bar that is due
	node dist/test/bench/main.js

demo: setup ## Start everything, pay one real payment, show its transcript, stop
	node dist/local/cli/demo.js

trace-demo: setup ## Pay one payment and show its whole trace, from the request to the last webhook
	node dist/local/cli/trace-demo.js

run: setup ## Start everything and keep it running until Ctrl-C
	node dist/local/cli/run.js

clean-data: ## Remove the data of `make run`
	rm -rf .local

chart-values: build ## Write the table of all values into the README of the chart
	@node dist/local/cli/chart-values.js

chart: build ## Lint and render the Helm chart and check every manifest
	node dist/local/cli/check-chart.js

image: build ## Build the container image of all services, `corridor:<version>`
	@node dist/local/cli/image.js

compose-secrets: build ## Make, once, the secrets of `docker compose up`
	@node dist/local/cli/compose-secrets.js

schema-versions: build ## Record the schema versions that are new; refuses to change one that is recorded
	@node dist/local/cli/schema-versions.js
