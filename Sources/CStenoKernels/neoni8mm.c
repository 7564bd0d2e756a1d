// NEON with the int8 matrix product of Armv8.6 (FEAT_I8MM): Cortex-A510 and A710, Neoverse V1, Apple A15 and M2.
#if defined(__aarch64__)
#include "kernels.h"
#include <arm_neon.h>

#pragma clang attribute push(__attribute__((target("dotprod,i8mm"))), apply_to = function)

#define VECTOR_BYTES 16
#define TILE_ROWS 12 // the sums take 24 of the 32 registers
#define TABLE steno_kernels_neoni8mm
#define TABLE_NAME "neoni8mm"
#define LOG_MEL steno_log_mel_neon

#include "body/vector.h"

enum { GROUP = 8, ACTIVATION_OFFSET = 0 };
typedef int8_t activation;

// smmla multiplies two rows by two outputs, eight inputs deep: a tile consists of squares of four sums. The last row of
// an odd number is duplicated; a single row costs as much as with sdot.
INLINE int8x16_t load_rows(const int8_t *first, const int8_t *second) {
    const int64x2_t twice = vld1q_dup_s64((const int64_t *)(const void *)first);
    return vreinterpretq_s8_s64(vld1q_lane_s64((const int64_t *)(const void *)second, twice, 1));
}

// A row of a square.
INLINE int32x2_t half(int32x4_t square, int row) { return row % 2 ? vget_high_s32(square) : vget_low_s32(square); }

#define OWN_TILE_INT8
INLINE void tile_int8(
    const int rows, const activation *x, int64_t x_stride, const int8_t *w, int64_t groups, int64_t ahead,
    int32_t *sums) {
    const int pairs = (rows + 1) / 2;
    int32x4_t squares[TILE_ROWS / 2][PANEL / 2];
    for (int i = 0; i < pairs; i++) {
        for (int n = 0; n < PANEL / 2; n++) squares[i][n] = vdupq_n_s32(0);
    }
    for (int64_t k = 0; k < groups; k++) {
        int8x16_t outputs[PANEL / 2];
        for (int n = 0; n < PANEL / 2; n++) outputs[n] = vld1q_s8(w + (k * PANEL + 2 * n) * GROUP);
        if (ahead) __builtin_prefetch(w + k * PANEL * GROUP + ahead, 0, 2);
#pragma clang loop unroll(full)
        for (int i = 0; i < pairs; i++) {
            const activation *first = x + 2 * i * x_stride + k * GROUP;
            const int8x16_t both = load_rows(first, 2 * i + 1 < rows ? first + x_stride : first);
            for (int n = 0; n < PANEL / 2; n++) squares[i][n] = vmmlaq_s32(squares[i][n], both, outputs[n]);
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int n = 0; n < PANEL / 2; n++) vst1_s32(sums + i * PANEL + 2 * n, half(squares[i / 2][n], i));
    }
}

#include "body/multiply.h"
#include "body/multiply8.h"
#include "body/table.h"

#pragma clang attribute pop
#endif
