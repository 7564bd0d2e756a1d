// A thread pool for short parallel regions: cheap fork and join, asleep when idle.
#ifndef STENO_POOL_H
#define STENO_POOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct steno_pool steno_pool;

/// One task of a region: `index` runs from 0 to the region's count.
typedef void (*steno_task)(void *context, int32_t index);

/// Creates a pool of `threads` threads, the caller's included; NULL if there is not enough memory.
///
/// If the system refuses a thread the pool has fewer (steno_pool_threads), in the worst case only the caller's.
steno_pool *steno_pool_create(int32_t threads);

/// Ends the pool's threads. No region may be running.
void steno_pool_destroy(steno_pool *pool);

/// The number of threads in a region, the caller's included.
int32_t steno_pool_threads(const steno_pool *pool);

/// Runs task(context, 0) … task(context, count − 1), each once, in any order and on any thread, and waits for all.
///
/// Several threads may call concurrently: the first gets the worker threads, the others compute on their own threads,
/// so that nobody waits. A NULL pool runs everything on the caller's thread.
void steno_pool_run(steno_pool *pool, steno_task task, void *context, int32_t count);

/// Names the calling thread, as debuggers and `top -H` show it; Linux keeps only the first 15 bytes.
void steno_set_thread_name(const char *name);

/// Writes the calling thread's name, empty if it is unknown.
void steno_get_thread_name(char *name, size_t capacity);

/// The number of cores this process may use, hyper-threads counted once, limited by its CPU quota; at least 1.
int32_t steno_physical_cores(void);

/// Writes the set of processors that this process may use: bit n % 64 of word n / 64 is processor n. Returns 0, or an
/// error number: EINVAL if the set does not fit into `words` words.
typedef int (*steno_affinity)(uint64_t *set, size_t words);

/// The number of cores that a set of processors belongs to, as steno_physical_cores counts them; at least 1.
///
/// `root` is prepended to /sys: "" is the machine's own. Linux only: 1 elsewhere.
int32_t steno_cores_in(const char *root, steno_affinity affinity);

/// The CPU quota of this process's Linux control groups, in whole processors rounded up, at least 1; INT32_MAX without
/// a limit.
///
/// The smallest quota of a group and its ancestors applies: `cpu.max` (cgroup v2) or `cpu.cfs_quota_us` divided by
/// `cpu.cfs_period_us` (v1). `root` is prepended to /proc and /sys: "" is the machine's own.
int32_t steno_quota_cores(const char *root);

#endif
