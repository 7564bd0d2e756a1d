#include "loops.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Each run takes about 10 ms: long relative to the clock's resolution, short relative to disturbances.
enum { RUNS = 30 };
static const double SECONDS_PER_RUN = 0.01;

typedef struct {
    // Does `rounds` rounds of work.
    void (*work)(void *context, long rounds);
    void *context;
    long rounds;
    _Atomic int *waiting;
    double seconds[RUNS];
} member;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double time_once(const member *m) {
    const double start = now();
    m->work(m->context, m->rounds);
    return now() - start;
}

static void *measure(void *argument) {
    member *m = argument;
    // All threads start together, so that they share the resources they normally share.
    atomic_fetch_sub(m->waiting, 1);
    while (atomic_load(m->waiting) > 0) {}
    for (int run = 0; run < RUNS; run++) m->seconds[run] = time_once(m);
    return NULL;
}

// The best combined rate of all threads: that of the run whose slowest thread was fastest.
static double best_rounds_per_second(member *members, int32_t count) {
    pthread_t threads[count];
    _Atomic int waiting = count;
    for (int32_t i = 0; i < count; i++) members[i].waiting = &waiting;
    int32_t started = 1;
    for (; started < count; started++) {
        if (pthread_create(&threads[started], NULL, measure, &members[started]) != 0) break;
    }
    atomic_fetch_sub(&waiting, count - started);
    measure(&members[0]);
    for (int32_t i = 1; i < started; i++) pthread_join(threads[i], NULL);
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        double slowest = 0;
        for (int32_t i = 0; i < started; i++) {
            if (members[i].seconds[run] > slowest) slowest = members[i].seconds[run];
        }
        const double rate = (double)members[0].rounds * started / slowest;
        if (rate > best) best = rate;
    }
    return best;
}

// The number of rounds that fill a run.
static long rounds_for(member m) {
    m.rounds = 1;
    while (time_once(&m) < SECONDS_PER_RUN / 4 && m.rounds < 1L << 40) m.rounds *= 2;
    return m.rounds * 4;
}

// MARK: Arithmetic

static void run_loop(void *context, long rounds) { ((const ceiling_loop *)context)->run(rounds); }

const char *ceiling_instruction(ceiling_numbers numbers) { return ceiling_best_loop(numbers).instruction; }

double ceiling_arithmetic(ceiling_numbers numbers, int32_t threads) {
    ceiling_loop loop = ceiling_best_loop(numbers);
    if (!loop.run || threads < 1) return 0;
    member members[threads];
    memset(members, 0, sizeof(members));
    member first = {.work = run_loop, .context = &loop};
    first.rounds = rounds_for(first);
    for (int32_t i = 0; i < threads; i++) members[i] = first;
    return best_rounds_per_second(members, threads) * loop.operations / 1e9;
}

// MARK: Reading

typedef uint64_t vector __attribute__((vector_size(64)));

typedef struct {
    const vector *block;
    size_t count;
} reading;

#if defined(__x86_64__) && defined(__linux__)
__attribute__((target_clones("default", "avx2", "avx512f")))
#endif
static void read_block(void *context, long rounds) {
    const reading *r = context;
    for (long round = 0; round < rounds; round++) {
        vector a = {0}, b = {0}, c = {0}, d = {0};
        for (size_t i = 0; i + 4 <= r->count; i += 4) {
            a ^= r->block[i];
            b ^= r->block[i + 1];
            c ^= r->block[i + 2];
            d ^= r->block[i + 3];
        }
        a ^= b ^ c ^ d;
        // Uses what was read, so that the reads are not optimised away.
        __asm__ volatile("" : : "m"(a) : "memory");
    }
}

double ceiling_read(size_t bytes, int32_t threads) {
    if (threads < 1) return 0;
    const size_t count = bytes / (size_t)threads / sizeof(vector) / 4 * 4;
    member members[threads];
    reading rates[threads];
    memset(members, 0, sizeof(members));
    int32_t ready = 0;
    for (; ready < threads; ready++) {
        vector *block = aligned_alloc(sizeof(vector), count * sizeof(vector));
        if (!block) break;
        memset(block, ready + 1, count * sizeof(vector));
        rates[ready] = (reading){block, count};
        members[ready] = (member){.work = read_block, .context = &rates[ready]};
    }
    double best = 0;
    if (ready == threads && count > 0) {
        const long rounds = rounds_for(members[0]);
        for (int32_t i = 0; i < threads; i++) members[i].rounds = rounds;
        best = best_rounds_per_second(members, threads) * (double)(count * sizeof(vector)) / 1e9;
    }
    for (int32_t i = 0; i < ready; i++) free((void *)rates[i].block);
    return best;
}
