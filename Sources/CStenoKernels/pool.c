#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "include/steno_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#if defined(__x86_64__) || defined(__i386__)
#define relax() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define relax() __asm__ volatile("yield")
#else
#define relax() ((void)0)
#endif

// How long a worker spins before it sleeps: about as long as waking it would take. A decoder step has tens of regions a
// few microseconds apart, so workers stay awake within a step and sleep between windows.
enum { SPINS_BEFORE_SLEEP = 4000 };
// The number of regions that callers compute alone after two of them have collided: a few decoder steps.
enum { REGIONS_ALONE = 256 };

// The gate holds the region's number (high half), whether it is open, and how many workers are inside. It is a single
// word, so that entering and closing cannot race: a worker that wakes too late finds the gate closed and never touches
// a finished region, and the caller waits only for workers that have entered.
#define OPEN (UINT64_C(1) << 31)
#define INSIDE (OPEN - 1)
#define REGION(gate) ((uint32_t)((gate) >> 32))

struct steno_pool {
    pthread_mutex_t owner; // held by the caller whose region runs
    _Atomic uint64_t gate;
    _Atomic int32_t next; // the next index nobody has taken
    _Atomic int32_t sleepers;
    _Atomic int32_t alone; // regions that are still computed without the workers
    _Atomic bool ending;

    steno_task task;
    void *context;
    int32_t count;

    pthread_mutex_t sleep_mutex; // held by a thread that falls asleep, and by one that wakes
    pthread_cond_t wake;
    int32_t workers;
    pthread_t threads[];
};

static void take_tasks(steno_pool *pool) {
    const int32_t count = pool->count;
    for (;;) {
        const int32_t index = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (index >= count) return;
        pool->task(pool->context, index);
    }
}

static bool has_news(steno_pool *pool, uint32_t seen) {
    const uint64_t gate = atomic_load(&pool->gate);
    return ((gate & OPEN) && REGION(gate) != seen) || atomic_load(&pool->ending);
}

static void wait_for_news(steno_pool *pool, uint32_t seen) {
    for (int32_t spin = 0; spin < SPINS_BEFORE_SLEEP; spin++) {
        if (has_news(pool, seen)) return;
        relax();
    }
    pthread_mutex_lock(&pool->sleep_mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (!has_news(pool, seen)) pthread_cond_wait(&pool->wake, &pool->sleep_mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->sleep_mutex);
}

static void *work(void *argument) {
    steno_pool *pool = argument;
    uint32_t seen = 0;
    for (;;) {
        wait_for_news(pool, seen);
        if (atomic_load(&pool->ending)) return NULL;
        uint64_t gate = atomic_load(&pool->gate);
        bool entered = false;
        while ((gate & OPEN) && REGION(gate) != seen && !entered) {
            entered = atomic_compare_exchange_weak(&pool->gate, &gate, gate + 1);
        }
        if (!entered) continue;
        seen = REGION(gate);
        take_tasks(pool);
        atomic_fetch_sub_explicit(&pool->gate, 1, memory_order_release);
    }
}

steno_pool *steno_pool_create(int32_t threads) {
    const int32_t workers = threads > 1 ? threads - 1 : 0;
    steno_pool *pool = calloc(1, sizeof(steno_pool) + (size_t)workers * sizeof(pthread_t));
    if (!pool) return NULL;
    pthread_mutex_init(&pool->owner, NULL);
    pthread_mutex_init(&pool->sleep_mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    // musl gives a thread a stack of 128 KiB, most of which attention's buffers would take.
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    for (int32_t i = 0; i < workers; i++) {
        if (pthread_create(&pool->threads[i], &attributes, work, pool) != 0) break;
        pool->workers = i + 1;
    }
    pthread_attr_destroy(&attributes);
    return pool;
}

void steno_pool_destroy(steno_pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->sleep_mutex);
    atomic_store(&pool->ending, true);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->sleep_mutex);
    for (int32_t i = 0; i < pool->workers; i++) pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->sleep_mutex);
    pthread_mutex_destroy(&pool->owner);
    free(pool);
}

// Whether the caller should compute alone: with two threads and two callers each has its own processor, and using the
// workers would only take the other's. A caller learns this when it finds the workers taken; both then compute alone
// for a while.
static bool is_shared(steno_pool *pool) {
    if (pool->workers > 1 || atomic_load_explicit(&pool->alone, memory_order_relaxed) <= 0) return false;
    atomic_fetch_sub_explicit(&pool->alone, 1, memory_order_relaxed);
    return true;
}

// Makes the caller the owner of the workers; returns false if another caller is.
static bool try_own_workers(steno_pool *pool) {
    if (pthread_mutex_trylock(&pool->owner) == 0) return true;
    atomic_store_explicit(&pool->alone, REGIONS_ALONE, memory_order_relaxed);
    return false;
}

int32_t steno_pool_threads(const steno_pool *pool) { return pool ? pool->workers + 1 : 1; }

void steno_pool_run(steno_pool *pool, steno_task task, void *context, int32_t count) {
    if (count <= 0) return;
    if (count == 1 || !pool || pool->workers == 0 || is_shared(pool) || !try_own_workers(pool)) {
        for (int32_t index = 0; index < count; index++) task(context, index);
        return;
    }
    pool->task = task;
    pool->context = context;
    pool->count = count;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    const uint32_t region = REGION(atomic_load_explicit(&pool->gate, memory_order_relaxed)) + 1;
    // Region 0 is the initial state of a new worker, so it is skipped when the number wraps.
    atomic_store(&pool->gate, ((uint64_t)(region ? region : 1) << 32) | OPEN);
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->sleep_mutex);
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->sleep_mutex);
    }
    take_tasks(pool);
    atomic_fetch_and(&pool->gate, ~OPEN);
    // A worker that does not finish soon has been preempted, perhaps by this very loop.
    int32_t spins = 0;
    while (atomic_load_explicit(&pool->gate, memory_order_acquire) & INSIDE) {
        if (spins == SPINS_BEFORE_SLEEP) {
            sched_yield();
        } else {
            spins++;
            relax();
        }
    }
    pthread_mutex_unlock(&pool->owner);
}
