// The arithmetic of Steno: matrix products, attention, norms, and the threads that share them.
//
// Everything here is a leaf: it knows numbers, not Whisper. Matrices are row-major float unless a comment says
// otherwise; a stride counts elements from one row to the next. Functions that take a pool divide their work over its
// threads and return when all of it is done. Shapes are the caller's contract and are not checked here.
#ifndef CSTENO_KERNELS_H
#define CSTENO_KERNELS_H

#include "steno_pool.h"
#include "steno_matrix.h"
#include "steno_attention.h"
#include "steno_vector.h"
#include "steno_logmel.h"

/// The instruction set the kernels run with on this machine: "portable", or better.
///
/// From the plainest to the best these are "avx2", "avxvnni", "avx512" and "avx512vnni" on x86-64, and "neon",
/// "neondot" and "neoni8mm" on arm64. The best the processor has is chosen once; the environment variable STENO_MAX_ISA
/// caps it, for tests, with one of these names. A name that is not of this architecture caps nothing.
const char *steno_isa_name(void);

#endif
