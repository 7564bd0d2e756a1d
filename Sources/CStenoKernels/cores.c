#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "include/steno_pool.h"

#if defined(__APPLE__)

#include <sys/sysctl.h>

int32_t steno_physical_cores(void) {
    int32_t cores = 0;
    size_t size = sizeof(cores);
    // The performance cores, where the system distinguishes them: efficiency cores would delay the others.
    if (sysctlbyname("hw.perflevel0.physicalcpu", &cores, &size, NULL, 0) == 0 && cores > 0) return cores;
    size = sizeof(cores);
    if (sysctlbyname("hw.physicalcpu", &cores, &size, NULL, 0) == 0 && cores > 0) return cores;
    return 1;
}

#elif defined(__linux__)

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// Sets of 1,024 processors, as in a `cpu_set_t`, up to a million: the kernel refuses one that is too small for the machine.
enum { FIRST_WORDS = 16, MOST_WORDS = 1 << 14, WORD_BITS = 64, PATH_SIZE = 4608 };

// The first processor of the core that `cpu` belongs to, or `cpu` itself if the kernel does not report it.
static size_t first_sibling(const char *root, size_t cpu, size_t limit) {
    char path[PATH_SIZE];
    const char *name = "topology/thread_siblings_list";
    if (snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%zu/%s", root, cpu, name) >= PATH_SIZE) return cpu;
    FILE *file = fopen(path, "r");
    if (!file) return cpu;
    size_t first = cpu;
    if (fscanf(file, "%zu", &first) != 1 || first >= limit) first = cpu;
    fclose(file);
    return first;
}

static bool contains(const uint64_t *set, size_t cpu) { return set[cpu / WORD_BITS] >> (cpu % WORD_BITS) & 1; }

// The set that `affinity` writes, in as many words as it needs; NULL if there is none.
static uint64_t *allowed_processors(steno_affinity affinity, size_t *words) {
    for (*words = FIRST_WORDS; *words <= MOST_WORDS; *words *= 2) {
        uint64_t *set = calloc(*words, sizeof(uint64_t));
        if (!set) return NULL;
        const int error = affinity(set, *words);
        if (error == 0) return set;
        free(set);
        if (error != EINVAL) return NULL;
    }
    return NULL;
}

int32_t steno_cores_in(const char *root, steno_affinity affinity) {
    size_t words = 0;
    uint64_t *allowed = allowed_processors(affinity, &words);
    uint64_t *cores = allowed ? calloc(words, sizeof(uint64_t)) : NULL;
    const size_t limit = cores ? words * WORD_BITS : 0;
    int32_t count = 0;
    for (size_t cpu = 0; cpu < limit; cpu++) {
        if (!contains(allowed, cpu)) continue;
        const size_t core = first_sibling(root, cpu, limit);
        count += !contains(cores, core);
        cores[core / WORD_BITS] |= UINT64_C(1) << (core % WORD_BITS);
    }
    free(cores);
    free(allowed);
    return count > 0 ? count : 1;
}

// The kernel's set of `unsigned long` has the same bits, since all supported Linux processors are little-endian.
static int own_affinity(uint64_t *set, size_t words) {
    return sched_getaffinity(0, words * sizeof(uint64_t), (cpu_set_t *)set) == 0 ? 0 : errno;
}

int32_t steno_physical_cores(void) {
    const int32_t count = steno_cores_in("", own_affinity), quota = steno_quota_cores("");
    return count < quota ? count : quota;
}

#else

int32_t steno_physical_cores(void) { return 1; }

#endif

#if !defined(__linux__)
int32_t steno_cores_in(const char *root, steno_affinity affinity) {
    (void)root;
    (void)affinity;
    return 1;
}
#endif
