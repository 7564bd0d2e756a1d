// Operations of newer model families on rows: rotary position embeddings, gated units, and the norm of a whole input.
#ifndef STENO_ROWS_H
#define STENO_ROWS_H

#include "steno_pool.h"
#include <stdint.h>

/// Rotary position embeddings of pairs of neighbouring channels (Su et al. 2021), while the heads move apart.
///
/// Each head's first channels are rotated by the angles of its row, the others are copied, and zeros fill the room up to
/// the next head of the result, so that any head gets a width that attention supports.
typedef struct {
    /// [rows, heads · head_width].
    const float *x;
    int64_t x_stride;
    int32_t rows, heads, head_width;
    /// The number of rotated channels: even, at most head_width; 0 only moves the heads.
    int32_t rotated;
    /// [rows, 2 · rotated]: each pair's cosine twice, for all pairs, and then each pair's sine as −sin, sin.
    const float *angles;
    /// [rows, heads · y_head_width], not x itself; y_head_width ≥ head_width.
    float *y;
    int64_t y_stride;
    int32_t y_head_width;
} steno_rotation;

void steno_rotate(steno_pool *pool, const steno_rotation *rotation);

/// y = value · SiLU(gate) (Shazeer 2020), for rows [rows, 2 · width] with the values first and then the gates; y may be
/// x, which keeps its stride.
void steno_gate_silu(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, float *y, int64_t y_stride);

/// y = (x − mean) / √(variance + epsilon) · gamma + beta with one mean and one variance for all of x [rows, width], and
/// gamma and beta for each column: group normalisation with one group (Wu and He 2018). y may be x.
void steno_group_norm(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, const float *gamma,
    const float *beta, float epsilon, float *y, int64_t y_stride);

#endif
