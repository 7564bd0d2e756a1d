// Scaled dot-product attention with heads of 64 channels, the size of every Whisper model.
#ifndef STENO_ATTENTION_H
#define STENO_ATTENTION_H

#include "steno_matrix.h"
#include "steno_pool.h"
#include <stdint.h>

enum { STENO_HEAD = 64 };

/// Keys and values that many queries look at, packed by head; the encoder's own, or a window's for the decoder.
typedef struct steno_memory steno_memory;

/// Makes room for `capacity` positions; NULL when there is no memory.
///
/// In int8, keys and values are bytes with a unit for each key, and for each channel and 128 positions of the values.
steno_memory *steno_memory_create(int32_t heads, int32_t capacity, steno_precision precision);
void steno_memory_destroy(steno_memory *memory);
int64_t steno_memory_bytes(const steno_memory *memory);

/// Packs keys and values [positions, heads · 64], each row `stride` after the last; positions ≤ capacity.
void steno_memory_set(
    steno_pool *pool, steno_memory *memory, const float *keys, const float *values, int64_t stride, int32_t positions);

/// out[i] = softmax(q[i] · Kᵀ / 8) · V for each head and each of `rows` queries [rows, heads · 64].
///
/// The scores of a few queries and a block of positions exist at a time, never the whole matrix (Dao et al. 2022).
void steno_attend(
    steno_pool *pool, const steno_memory *memory, const float *queries, int64_t query_stride, int32_t rows, float *out,
    int64_t out_stride);

/// The rows [row, row_end) of a batch that look at the same window.
typedef struct {
    const steno_memory *memory;
    int32_t row, row_end;
} steno_window_queries;

/// steno_attend for several windows of as many heads in one region: each its own rows of `queries` and `out`.
void steno_attend_windows(
    steno_pool *pool, const steno_window_queries *windows, int32_t count, const float *queries, int64_t query_stride,
    float *out, int64_t out_stride);

/// The unnormalised scores q[i] · K[p] / 8 of one head: scores[i][p], for word alignment.
void steno_attention_scores(
    const steno_memory *memory, int32_t head, const float *queries, int64_t query_stride, int32_t rows, float *scores,
    int64_t scores_stride);

/// Decoder self-attention over a cache of slots.
///
/// Row i looks at lengths[i] earlier positions, whose keys and values stand in the slots of its list: beams that share
/// a past share its slots, so changing beams moves slot numbers and never keys.
typedef struct {
    /// [rows, heads · 64].
    const float *queries;
    int64_t query_stride;
    int32_t rows;
    int32_t heads;
    /// 64 channels of slot s and head h begin at number s · slot_stride + h · head_stride.
    const void *keys;
    const void *values;
    /// Whether the numbers are bfloat16, half of a float32.
    int32_t is_bfloat16;
    int64_t slot_stride;
    int64_t head_stride;
    /// Lists of slots, slots_stride apart.
    const int32_t *slots;
    int64_t slots_stride;
    /// [rows].
    const int32_t *lengths;
    /// [rows, heads · 64].
    float *out;
    int64_t out_stride;
    /// The number of each row's list, [rows]; NULL when row i has list i.
    const int32_t *lists;
} steno_cached_attention;

/// The most positions a row may look at.
enum { STENO_CACHED_POSITIONS = 512 };

void steno_attend_cached(steno_pool *pool, const steno_cached_attention *attention);

#endif
