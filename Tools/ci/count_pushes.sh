#!/usr/bin/env bash
# Counts the heap allocations and locks of `AudioInput.push`, by running a program with few and with many pushes.
#
#     Tools/ci/count_pushes.sh STENO_FUZZ_TOOL
#
# Needs gcc or clang and glibc. A push must do neither, since it runs on the real-time thread of an audio device.
set -euo pipefail
tool=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/count.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
static atomic_long allocations, locks;
void *malloc(size_t n) { allocations++; return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { allocations++; return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { allocations++; return __libc_realloc(p, n); }
void *aligned_alloc(size_t a, size_t n) { allocations++; return __libc_memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) { allocations++; *p = __libc_memalign(a, n); return *p ? 0 : 12; }
#define COUNTED(name, type) \
    int name(type *lock) { \
        static int (*real)(type *); \
        if (!real) real = (int (*)(type *))dlsym(RTLD_NEXT, #name); \
        locks++; \
        return real(lock); \
    }
COUNTED(pthread_mutex_lock, pthread_mutex_t)
COUNTED(pthread_mutex_trylock, pthread_mutex_t)
COUNTED(pthread_rwlock_rdlock, pthread_rwlock_t)
COUNTED(pthread_rwlock_wrlock, pthread_rwlock_t)
COUNTED(sem_wait, sem_t)
__attribute__((destructor)) static void report(void) { fprintf(stderr, "COUNTS %ld %ld\n", allocations, locks); }
C
${CC:-cc} -shared -fPIC -O1 -o "$folder/count.so" "$folder/count.c" -ldl
# Prints "allocations locks taken" of a run with two pushes for each of $1 blocks; fails when the program does.
run() {
    LD_PRELOAD="$folder/count.so" "$tool" push "$1" > "$folder/out" 2> "$folder/err" || { cat "$folder/err" >&2; return 1; }
    echo "$(sed -n 's/^COUNTS //p' "$folder/err" | tail -1) $(sed -n 's/^taken //p' "$folder/out")"
}
few=$(run 100)
many=$(run 20100)
read -r few_allocations few_locks few_taken <<< "$few"
read -r many_allocations many_locks many_taken <<< "$many"
# Few pushes fit into the buffer; with many, both those that fit and those that do not are counted.
if [ "$few_taken" != 200 ] || [ "$many_taken" -le 200 ] || [ "$many_taken" -ge 40200 ]; then
    echo "of 200 pushes $few_taken were taken, of 40200 $many_taken" >&2
    exit 1
fi
echo "40,000 pushes: $((many_allocations - few_allocations)) allocations, $((many_locks - few_locks)) locks"
# The program itself may do slightly more or less from one run to the next.
for more in $((many_allocations - few_allocations)) $((many_locks - few_locks)); do
    [ "${more#-}" -lt 100 ] || { echo "a push allocates or locks" >&2; exit 1; }
done
