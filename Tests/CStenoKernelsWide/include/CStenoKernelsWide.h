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

/// The sizes of an attention with relative positions.
struct wide_relative {
    int32_t heads, head_width, positions, rows, distances, first_distance, first_query;
    float scale;
};

void wide_layer_norm(
    const float *x, int64_t stride, int32_t rows, int32_t width, const float *gamma, const float *beta, float epsilon,
    float *y);

/// Rotary embeddings of rows [rows, heads · head_width]; results are [rows, heads · y_head_width].
void wide_rotate(
    const float *x, int32_t rows, int32_t heads, int32_t head_width, int32_t rotated, const float *angles, float *y,
    int32_t y_head_width);

void wide_gate_silu(const float *x, int32_t rows, int32_t width, float *y);

void wide_group_norm(
    const float *x, int64_t stride, int32_t rows, int32_t width, const float *gamma, const float *beta, float epsilon,
    float *y);

/// tanh of values, as a product's activation.
void wide_tanh(const float *x, int32_t count, float *y);

/// Attention with relative positions: `call` without memory and encodings, which are made of the keys and values,
/// [positions, heads · head_width], and of the encodings, [distances, heads · head_width].
void wide_attend_relative(
    const struct wide_relative *shape, const float *queries, const float *keys, const float *values,
    const float *encodings, const float *content_bias, const float *position_bias, const int32_t *first,
    const int32_t *end, float *out);

void wide_scale_channels(
    const float *x, int64_t stride, int32_t rows, int32_t width, const float *scale, const float *shift, float slope,
    float *y);
void wide_max_pool(
    const float *x, int64_t stride, int32_t rows, int32_t width, int32_t step, bool magnitudes, float *y);
void wide_channel_sums(const float *x, int64_t stride, int32_t rows, int32_t width, float *sums);
void wide_channel_squares(
    const float *x, int64_t stride, int32_t rows, int32_t width, const float *centre, float *squares);

float wide_maximum(const float *x, int64_t count);
float wide_log_sum_exp(const float *x, int64_t count);

/// A convolution of rows, then SiLU if `silu`; no gaps between rows.
void wide_depthwise(
    int32_t rows, int32_t channels, int32_t taps, const float *x, const float *weights, const float *bias, bool silu,
    float *y);
/// A 3 × 3 convolution of images with stride 2.
void wide_depthwise_image(
    int32_t rows, int32_t bands, int32_t channels, int32_t padding, const float *x, const float *weights,
    const float *bias, float *y);
void wide_gate(const float *x, int32_t rows, int32_t width, float *y);
void wide_silu(float *x, int32_t rows, int32_t width);

#endif
