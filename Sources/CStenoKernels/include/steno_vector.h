// Operations on rows of numbers.
#ifndef STENO_VECTOR_H
#define STENO_VECTOR_H

#include "steno_pool.h"
#include <stdbool.h>
#include <stdint.h>

/// y = (x − mean) / √(variance + epsilon) · gamma + beta, for each of `rows` rows of `width` values; y may be x.
void steno_layer_norm(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, const float *gamma,
    const float *beta, float epsilon, float *y, int64_t y_stride);

/// Whether none of `count` values is a NaN or an infinity.
bool steno_are_finite(const float *x, int64_t count);
/// The largest magnitude of `count` finite values; 0 if there are none.
float steno_peak(const float *x, int64_t count);

/// The largest of `count` values (count ≥ 1).
float steno_maximum(const float *x, int64_t count);
/// log Σ exp(x), without overflow for values of any magnitude.
float steno_log_sum_exp(const float *x, int64_t count);
/// x = x − log Σ exp(x): logits become log probabilities.
void steno_log_softmax(float *x, int64_t count);
/// The indices of the `k` largest values in descending order; among equals the lower index first. k ≤ count.
void steno_top_k(const float *x, int64_t count, int32_t k, int32_t *indices);

/// One step of a long short-term memory (Hochreiter, Schmidhuber 1997) of `width` cells, a multiple of 16, for each of
/// `rows` rows: `gates` [rows, 4 · width] has the pre-activations of the input, forget, cell and output gates; the cells'
/// state and output [rows, width] are updated.
void steno_lstm_step(
    const float *gates, int64_t gates_stride, int32_t rows, int32_t width, float *cell, float *hidden);

/// Converts float16 to float32; `bits` need not be aligned.
void steno_widen_float16(const void *bits, int64_t count, float *values);
void steno_widen_bfloat16(const void *bits, int64_t count, float *values);

/// Converts float32 to bfloat16, rounding to nearest even; NaN stays NaN.
void steno_narrow_bfloat16(const float *values, int64_t count, uint16_t *halves);

#endif
