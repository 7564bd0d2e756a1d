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
            const activation *second = 2 * i + 1 < rows ? first + x_stride : first;
            const int64x2_t twice = vld1q_dup_s64((const int64_t *)(const void *)first);
            const int8x16_t both = vreinterpretq_s8_s64(vld1q_lane_s64((const int64_t *)(const void *)second, twice, 1));
            for (int n = 0; n < PANEL / 2; n++) squares[i][n] = vmmlaq_s32(squares[i][n], both, outputs[n]);
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int n = 0; n < PANEL / 2; n++) {
            const int32x4_t square = squares[i / 2][n];
            vst1_s32(sums + i * PANEL + 2 * n, i % 2 ? vget_high_s32(square) : vget_low_s32(square));
        }
    }
}

// Ternary codes as the other numbers, four vectors of a packed one after the other.
#define OWN_PARTIAL
#define OWN_TILE_TERNARY
enum { CODE_GROUP = 8 };

INLINE void tile_ternary(
    const int rows, const int packed, const int8_t *x, int64_t x_stride, const int32_t *starts, int64_t starts_stride,
    const uint8_t *w, const float *scales, float *totals) {
    const int pairs = (rows + 1) / 2;
    int32x4_t squares[TILE_ROWS / 2][PANEL / 2];
    for (int i = 0; i < pairs; i++) {
        const int32_t first = starts[2 * i * starts_stride], second = 2 * i + 1 < rows ? starts[(2 * i + 1) * starts_stride] : 0;
        const int32x4_t both = vcombine_s32(vdup_n_s32(first), vdup_n_s32(second));
        for (int n = 0; n < PANEL / 2; n++) squares[i][n] = both;
    }
    for (int k = 0; k < STENO_TERNARY_GROUP / CODE_GROUP; k++) {
        const uint8_t *at = w + (packed ? k / 4 : k) * PANEL * CODE_GROUP;
        int8x16_t outputs[PANEL / 2];
        for (int n = 0; n < PANEL / 2; n++) {
            const uint8x16_t loaded = vld1q_u8(at + 2 * n * CODE_GROUP);
            const uint8x16_t c = packed ? vandq_u8(vshlq_u8(loaded, vdupq_n_s8((int8_t)(-2 * (k % 4)))), vdupq_n_u8(3)) : loaded;
            outputs[n] = vreinterpretq_s8_u8(c);
        }
#pragma clang loop unroll(full)
        for (int i = 0; i < pairs; i++) {
            const int8_t *first = x + 2 * i * x_stride + k * CODE_GROUP;
            const int8_t *second = 2 * i + 1 < rows ? first + x_stride : first;
            const int64x2_t twice = vld1q_dup_s64((const int64_t *)(const void *)first);
            const int8x16_t both = vreinterpretq_s8_s64(vld1q_lane_s64((const int64_t *)(const void *)second, twice, 1));
            for (int n = 0; n < PANEL / 2; n++) squares[i][n] = vmmlaq_s32(squares[i][n], both, outputs[n]);
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int n = 0; n < PANEL / 2; n++) {
            const int32x4_t square = squares[i / 2][n];
            const float32x2_t sums = vcvt_f32_s32(i % 2 ? vget_high_s32(square) : vget_low_s32(square));
            float *total = totals + i * PANEL + 2 * n;
            vst1_f32(total, vfma_f32(vld1_f32(total), sums, vld1_f32(scales + 2 * n)));
        }
    }
}

#include "body/multiply.h"
#include "body/multiply8.h"
#include "body/ternary.h"
#include "body/attend.h"
#include "body/attend8.h"
#include "body/pack.h"
#include "body/rows.h"
#include "body/lstm.h"
#include "body/rotate.h"
#include "body/gate.h"
#include "body/groupnorm.h"
#include "body/convolution.h"
#include "body/relative.h"
#include "body/channels.h"
#include "body/table.h"

#pragma clang attribute pop
#endif
