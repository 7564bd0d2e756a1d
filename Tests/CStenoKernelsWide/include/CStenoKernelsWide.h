// The kernels with vectors of 64 bytes, as AVX-512 has them, for machines that have none.
//
// `kernels.c` compiles the shared bodies in the layout of `avx512vnni.c`, with its dot product written out in C, and
// the functions below run the whole path over them: packing, quantising, products, attention and reductions.
#ifndef CSTENO_KERNELS_WIDE_H
#define CSTENO_KERNELS_WIDE_H

#include <stdbool.h>
#include <stdint.h>

/// A product of plain arrays, as `steno_product` has it; `weights` are [outputs, inputs].
typedef struct {
    int32_t outputs, inputs, rows;
    bool is_int8, gelu;
    const float *weights, *bias, *residual, *x;
    int64_t x_stride, residual_stride, y_stride;
    float *y;
} wide_product;

void wide_multiply(const wide_product *product);

/// A row of the matrix after packing.
void wide_packed_row(const wide_product *product, int32_t row, float *values);

/// Attention of `rows` queries over `positions` keys and values; strides are heads · head_width everywhere.
///
/// With `scores`, [rows, positions], it writes those of head 0 too.
void wide_attend(
    bool is_int8, int32_t heads, int32_t head_width, float scale, int32_t positions, const float *keys,
    const float *values, int32_t rows, const float *queries, float *out, float *scores);

/// Attention over cached slots; keys and values are [slot, heads · head_width], which is their stride too.
void wide_attend_cached(
    int32_t heads, int32_t head_width, float scale, int32_t rows, const float *queries, const float *keys,
    const float *values, const int32_t *slots, int64_t slots_stride, const int32_t *lengths, float *out);

void wide_layer_norm(
    const float *x, int64_t stride, int32_t rows, int32_t width, const float *gamma, const float *beta, float epsilon,
    float *y);

float wide_maximum(const float *x, int64_t count);
float wide_log_sum_exp(const float *x, int64_t count);

#endif
