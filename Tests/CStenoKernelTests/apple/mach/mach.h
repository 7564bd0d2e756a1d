// Stands in for a header that only Apple's SDK has, so that Linux can compile the kernels for Apple's arm64.
#ifndef CSTENO_KERNELS_ARM_MACH_H
#define CSTENO_KERNELS_ARM_MACH_H

typedef int kern_return_t;
typedef unsigned int mach_port_t;
typedef mach_port_t task_t;
typedef mach_port_t semaphore_t;

#define KERN_SUCCESS 0
#define SYNC_POLICY_FIFO 0

extern mach_port_t mach_task_self_;
#define mach_task_self() mach_task_self_

#endif
