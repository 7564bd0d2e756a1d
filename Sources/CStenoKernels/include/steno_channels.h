// Operations on the channels of rows: the columns of a matrix [rows, width].
#ifndef STENO_CHANNELS_H
#define STENO_CHANNELS_H

#include "steno_pool.h"
#include <stdbool.h>
#include <stdint.h>

/// y[i][c] = f(x[i][c] · scale[c] + shift[c]) for `rows` rows of `width` channels: a norm whose statistics are known,
/// and its activation. y may be x.
///
/// f(v) = v, or slope · v where v is negative: a slope of 0 is ReLU, one in between a leaky ReLU, and 1 the identity.
void steno_scale_channels(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, const float *scale,
    const float *shift, float slope, float *y, int64_t y_stride);

/// y[i][c] = the largest of x[step · i][c] … x[step · i + step − 1][c], or of their magnitudes, for `rows` rows of y.
void steno_max_pool(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, int32_t step, bool magnitudes,
    float *y, int64_t y_stride);

/// sums[c] = Σ_i x[i][c].
void steno_channel_sums(const float *x, int64_t x_stride, int32_t rows, int32_t width, float *sums);

/// squares[c] = Σ_i (x[i][c] − centre[c])².
void steno_channel_squares(
    const float *x, int64_t x_stride, int32_t rows, int32_t width, const float *centre, float *squares);

#endif
