// Convolutions in which every channel is on its own ("depthwise"), and the gates around them.
#ifndef STENO_CONVOLUTION_H
#define STENO_CONVOLUTION_H

#include "steno_matrix.h"
#include "steno_pool.h"
#include <stdint.h>

/// A convolution over rows: y[t][c] = act(Σ_k x[t + k][c] · weights[k][c] + bias[c]).
typedef struct {
    /// [rows + taps − 1, channels].
    const float *x;
    int64_t x_stride;
    /// Rows of the result.
    int32_t rows;
    int32_t channels, taps;
    /// [taps, channels].
    const float *weights;
    /// [channels].
    const float *bias;
    steno_activation activation;
    /// [rows, channels]; not x.
    float *y;
    int64_t y_stride;
} steno_depthwise;

void steno_convolve_depthwise(steno_pool *pool, const steno_depthwise *convolution);

/// A convolution over images of 3 × 3 with stride 2 on both axes. Rows follow each other without gaps.
///
/// Row t of the result reads rows 2t to 2t + 2 of x. Zero bands are assumed before and after those of x; zero rows must
/// be there.
typedef struct {
    /// [2 · rows + 1, bands, channels].
    const float *x;
    /// Rows of the result.
    int32_t rows;
    int32_t bands, channels;
    /// The number of zero bands in front, 1 or 2; one follows.
    int32_t padding;
    /// [3 rows, 3 bands, channels].
    const float *weights;
    /// [channels].
    const float *bias;
    /// [rows, (bands + padding) / 2, channels]; not x.
    float *y;
} steno_depthwise_image;

void steno_convolve_image(steno_pool *pool, const steno_depthwise_image *convolution);

/// Gated linear units (Dauphin et al. 2017): y[i][c] = x[i][c] · σ(x[i][width + c]) of rows of 2 · width values.
void steno_gate(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, float *y, int64_t y_stride);

/// x[i] = x[i] / (1 + e^−x[i]) for `rows` rows of `width` values.
void steno_silu(steno_pool *pool, float *x, int64_t x_stride, int32_t rows, int32_t width);

#endif
