// A team of threads that share short pieces of work: cheap fork and join, asleep when there is nothing to do.
#ifndef STENO_POOL_H
#define STENO_POOL_H

#include <stdint.h>

typedef struct steno_pool steno_pool;

/// One piece of work: `index` runs from 0 to the region's count.
typedef void (*steno_task)(void *context, int32_t index);

/// Makes a pool of `threads` threads, the caller's own included; NULL when threads cannot be had.
steno_pool *steno_pool_create(int32_t threads);

/// Ends the pool's threads. No region may be running.
void steno_pool_destroy(steno_pool *pool);

/// How many threads work in a region, the caller's own included.
int32_t steno_pool_threads(const steno_pool *pool);

/// Runs task(context, 0) … task(context, count − 1), each once, in any order and on any thread, and waits for all.
///
/// Several threads may call at once: the first gets the team, the others do their work alone, so that nobody waits.
/// A NULL pool runs everything on the caller's thread.
void steno_pool_run(steno_pool *pool, steno_task task, void *context, int32_t count);

/// The processors' cores that this process may use, hyper-threads counted once and no more than its quota; at least 1.
int32_t steno_physical_cores(void);

/// The processor time that this process's Linux control groups allow it, as whole processors rounded up, at least 1;
/// INT32_MAX where they set no limit.
///
/// The smallest quota of a group and its parents counts: `cpu.max` (cgroup v2) or `cpu.cfs_quota_us` over
/// `cpu.cfs_period_us` (v1). `root` comes before /proc and /sys: "" is the machine's own.
int32_t steno_quota_cores(const char *root);

#endif
