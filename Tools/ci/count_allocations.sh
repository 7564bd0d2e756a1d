#!/usr/bin/env bash
# Counts the heap allocations per decoded token, by decoding the same window with few and with many new tokens.
#
#     Tools/ci/count_allocations.sh [--at-most N] STENO SOUND [more arguments of steno transcribe]
#
# Needs gcc or clang and glibc. Prints the difference in allocations divided by the difference in tokens, and fails if it is
# more than N.
set -euo pipefail
most=inf
if [ "$1" = --at-most ]; then
    most=$2
    shift 2
fi
steno=$1 sound=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/count.c" <<'C'
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
static atomic_long calls;
void *malloc(size_t n) { calls++; return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { calls++; return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { calls++; return __libc_realloc(p, n); }
void *aligned_alloc(size_t a, size_t n) { calls++; return __libc_memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) { calls++; *p = __libc_memalign(a, n); return *p ? 0 : 12; }
__attribute__((destructor)) static void report(void) { fprintf(stderr, "ALLOCATIONS %ld\n", calls); }
C
${CC:-cc} -shared -fPIC -O1 -o "$folder/count.so" "$folder/count.c"

# Prints "allocations tokens" of a run with at most $1 new tokens.
run() {
    LD_PRELOAD="$folder/count.so" "$steno" transcribe "$sound" --language en --temperature 0 --max-new-tokens "$1" \
        --without-timestamps --output-format json "${@:2}" > "$folder/out" 2> "$folder/err"
    echo "$(sed -n 's/^ALLOCATIONS //p' "$folder/err" | tail -1)" \
        "$(python3 -c 'import json,sys; print(sum(len(s["tokens"]) for s in json.load(open(sys.argv[1]))["segments"]))' "$folder/out")"
}
read -r few_calls few_tokens < <(run 4 "$@")
read -r many_calls many_tokens < <(run 200 "$@")
echo "$few_tokens tokens: $few_calls allocations; $many_tokens tokens: $many_calls allocations"
python3 - "$few_calls" "$few_tokens" "$many_calls" "$many_tokens" "$most" <<'PYTHON'
import sys
a, b, c, d, most = map(float, sys.argv[1:])
each = (c - a) / (d - b)
print(f"{each:.2f} allocations a token")
sys.exit(f"more than {most:g}: something in the decoder's loop allocates" if each > most else 0)
PYTHON
