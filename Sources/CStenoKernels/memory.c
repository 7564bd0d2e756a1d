#include "include/steno_memory.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(__linux__)
#include <malloc.h>
#endif

void steno_release_memory(void) {
#if defined(__APPLE__)
    malloc_zone_pressure_relief(0, 0);
#elif defined(__GLIBC__)
    malloc_trim(0);
#endif
}
