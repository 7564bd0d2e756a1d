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

#include <sched.h>
#include <stdio.h>

// The first processor of the core that `cpu` belongs to, or `cpu` itself if the kernel does not report it.
static int first_sibling(int cpu) {
    char path[96];
    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *file = fopen(path, "r");
    if (!file) return cpu;
    int first = cpu;
    if (fscanf(file, "%d", &first) != 1) first = cpu;
    fclose(file);
    return first;
}

int32_t steno_physical_cores(void) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 1;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed)) continue;
        const int first = first_sibling(cpu);
        if (first >= 0 && first < CPU_SETSIZE) CPU_SET(first, &cores);
    }
    const int32_t count = CPU_COUNT(&cores), quota = steno_quota_cores("");
    if (count < 1) return 1;
    return count < quota ? count : quota;
}

#else

int32_t steno_physical_cores(void) { return 1; }

#endif
