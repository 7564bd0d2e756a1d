#include "kernels.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

// Whether the processor has the tiles of AMX with int8 products, and the system lets this process use them: their state
// makes a thread's registers larger by 8 kB, so that Linux must be asked once.
static int permits_tiles(void) {
    enum { TILES = 1 << 24, INT8 = 1 << 25, REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return 0;
    return (edx & TILES) && (edx & INT8) && syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
}
#endif

static const steno_kernels *chosen = &steno_kernels_portable;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// In ascending order of capability; the cap ends the search.
static void choose(void) {
    const char *cap = getenv("STENO_MAX_ISA");
#if defined(__x86_64__)
    __builtin_cpu_init();
    const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
    const int avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    const int avxvnni = avx2 && __builtin_cpu_supports("avxvnni");
    const int vnni = avx512 && __builtin_cpu_supports("avx512vnni");
#endif
    const struct { const steno_kernels *table; int supported; } steps[] = {
        {&steno_kernels_portable, 1},
#if defined(__x86_64__)
        {&steno_kernels_avx2, avx2},
        {&steno_kernels_avxvnni, avxvnni},
        {&steno_kernels_avx512, avx512},
        {&steno_kernels_avx512vnni, vnni},
#if defined(__linux__)
        {&steno_kernels_amx, vnni && permits_tiles()},
#endif
#elif defined(__aarch64__)
        {&steno_kernels_neon, 1},
        {&steno_kernels_neondot, steno_arm64_has_dot_product()},
        {&steno_kernels_neoni8mm, steno_arm64_has_matrix_product()},
#endif
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (steps[i].supported) chosen = steps[i].table;
        if (cap && strcmp(cap, steps[i].table->name) == 0) return;
    }
}

const steno_kernels *steno_kernels_current(void) {
    pthread_once(&once, choose);
    return chosen;
}

const char *steno_isa_name(void) { return steno_kernels_current()->name; }
