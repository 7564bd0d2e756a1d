// Adds to Linux's header what only Apple's has in this form, so that Linux can compile the kernels for Apple's arm64.
#ifndef CSTENO_KERNELS_ARM_PTHREAD_H
#define CSTENO_KERNELS_ARM_PTHREAD_H

#include_next <pthread.h>

#include <stddef.h>

int pthread_setname_np(const char *name);
int pthread_getname_np(pthread_t thread, char *name, size_t capacity);

#endif
