// Stands in for a header that only Apple's SDK has, so that Linux can compile the kernels for Apple's arm64.
#ifndef CSTENO_KERNELS_ARM_SYSCTL_H
#define CSTENO_KERNELS_ARM_SYSCTL_H

#include <stddef.h>

int sysctlbyname(const char *name, void *old_value, size_t *old_size, void *new_value, size_t new_size);

#endif
