EXE ?= themis

# OpenBench builds every engine with `make EXE=NAME`; cargo does the work.
all:
	cargo build --release -p uci-frontend
	cp target/release/themis $(EXE)

.PHONY: all
