// Steno's kernels: matrix products, attention, norms, and the thread pool; also a ring buffer and two hashes.
//
// This target has no dependencies and no knowledge of models. Matrices are row-major float32 unless stated otherwise; a
// stride is the distance between rows in elements. Functions that take a pool divide their work over its threads and
// return when all of it is done. Callers are responsible for valid shapes, which are not checked here.
#ifndef CSTENO_KERNELS_H
#define CSTENO_KERNELS_H

#include "steno_pool.h"
#include "steno_matrix.h"
#include "steno_attention.h"
#include "steno_relative.h"
#include "steno_vector.h"
#include "steno_rows.h"
#include "steno_convolution.h"
#include "steno_channels.h"
#include "steno_logmel.h"
#include "steno_memory.h"
#include "steno_ring.h"
#include "steno_hash.h"

/// The instruction set the kernels use on this machine: "portable", or better.
///
/// In ascending order these are "avx2", "avxvnni", "avx512", "avx512vnni" and, on Linux, "amx" on x86-64, and "neon",
/// "neondot" and "neoni8mm" on arm64. The best one the processor supports is chosen once; for tests, the environment variable
/// STENO_MAX_ISA caps the choice at one of these names. A name from another architecture has no effect.
const char *steno_isa_name(void);

#endif
