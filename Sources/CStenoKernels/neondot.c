// NEON with the dot product of Armv8.2 (FEAT_DotProd): Cortex-A55, A75 and later, Apple A13 and M1.
#if defined(__aarch64__)
#include "kernels.h"
#include <arm_neon.h>

#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

#define VECTOR_BYTES 16
#define TILE_ROWS 12 // the sums take 24 of the 32 registers
#define TABLE steno_kernels_neondot
#define TABLE_NAME "neondot"
#define LOG_MEL steno_log_mel_neon

#include "body/vector.h"

// sdot: both operands are signed, so no offset is needed.
enum { GROUP = 4, ACTIVATION_OFFSET = 0 };
typedef int8_t activation;
typedef int8x16_t weights;

INLINE weights load_weights(const int8_t *w) { return vld1q_s8(w); }

INLINE vi dot(vi sum, int32_t word, weights w) {
    return (vi)vdotq_s32((int32x4_t)sum, w, vreinterpretq_s8_s32(vdupq_n_s32(word)));
}

#include "body/multiply.h"
#include "body/multiply8.h"
#include "body/table.h"

#pragma clang attribute pop
#endif
