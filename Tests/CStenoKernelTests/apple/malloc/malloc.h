// Stands in for a header that only Apple's SDK has, so that Linux can compile the kernels for Apple's arm64.
#ifndef CSTENO_KERNELS_ARM_MALLOC_H
#define CSTENO_KERNELS_ARM_MALLOC_H

#include <stddef.h>

typedef struct malloc_zone malloc_zone_t;
size_t malloc_zone_pressure_relief(malloc_zone_t *zone, size_t goal);

#endif
