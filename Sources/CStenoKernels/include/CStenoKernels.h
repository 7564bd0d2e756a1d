#ifndef CSTENO_KERNELS_H
#define CSTENO_KERNELS_H
#endif
