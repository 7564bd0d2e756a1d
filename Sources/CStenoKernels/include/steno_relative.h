// Attention with relative positions (Dai et al. 2019, Transformer-XL), as FastConformer has it.
#ifndef STENO_RELATIVE_H
#define STENO_RELATIVE_H

#include "steno_attention.h"

/// Queries over a memory in STENO_FLOAT32. The score of query i and position j is
///
///     ((q[i] + content_bias) · K[j] + (q[i] + position_bias) · R[j − i]) · scale,
///
/// where i and j count the same audio. As long as the ranges of any STENO_RELATIVE_QUERIES neighbouring queries are
/// within STENO_RELATIVE_EXACT positions, the bits of a query's result depend only on its own range.
typedef struct {
    const steno_memory *memory;
    /// The encodings R of distances in STENO_FLOAT32, [distances, heads · head_width]: row n is the distance
    /// n + first_distance. All distances in the ranges must be there.
    const steno_matrix *encodings;
    int32_t first_distance;
    /// The position of query 0.
    int32_t first_query;
    float scale;
    /// [heads · head_width] each.
    const float *content_bias, *position_bias;
    /// [rows, heads · head_width].
    const float *queries;
    int64_t query_stride;
    int32_t rows;
    /// Query i attends to positions first[i] to end[i] − 1, at least one; both are NULL if each attends to all.
    const int32_t *first, *end;
    /// [rows, heads · head_width]; not the queries.
    float *out;
    int64_t out_stride;
} steno_relative_attention;

enum { STENO_RELATIVE_QUERIES = 24, STENO_RELATIVE_EXACT = 192 };

void steno_attend_relative(steno_pool *pool, const steno_relative_attention *attention);

#endif
