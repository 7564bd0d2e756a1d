// Stands in for a header that only Apple's SDK has, so that Linux can compile the kernels for Apple's arm64.
#ifndef CSTENO_KERNELS_ARM_SEMAPHORE_H
#define CSTENO_KERNELS_ARM_SEMAPHORE_H

#include <mach/mach.h>

kern_return_t semaphore_create(task_t task, semaphore_t *semaphore, int policy, int value);
kern_return_t semaphore_destroy(task_t task, semaphore_t semaphore);
kern_return_t semaphore_signal(semaphore_t semaphore);
kern_return_t semaphore_wait(semaphore_t semaphore);

#endif
