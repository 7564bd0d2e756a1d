// Scaled dot-product attention: out = softmax(q · Kᵀ · scale) · V, head by head.
//
// The head width is any multiple of 16 up to STENO_MAX_HEAD_WIDTH. Rows of queries, keys, values and results hold the
// channels of all heads in order: heads · head_width numbers.
#ifndef STENO_ATTENTION_H
#define STENO_ATTENTION_H

#include "steno_matrix.h"
#include "steno_pool.h"
#include <stdint.h>

enum { STENO_MAX_HEAD_WIDTH = 256, STENO_HEAD_WIDTH_MULTIPLE = 16 };

/// Keys and values that many queries attend to, packed by head: the encoder's own, or a decoder's cross-attention KV
/// cache.
typedef struct steno_memory steno_memory;

/// Allocates `capacity` positions in STENO_FLOAT32 or STENO_INT8; NULL if there is not enough memory, or if the format
/// or the head width is not supported.
///
/// In int8, each key has a scale, and values have one per channel and 128 positions.
steno_memory *steno_memory_create(int32_t heads, int32_t head_width, int32_t capacity, steno_format format);
void steno_memory_destroy(steno_memory *memory);
/// The size in memory in bytes, scales included.
int64_t steno_memory_bytes(const steno_memory *memory);

/// Packs keys and values [positions, heads · head_width] whose rows are `stride` apart; positions ≤ capacity.
void steno_memory_set(
    steno_pool *pool, steno_memory *memory, const float *keys, const float *values, int64_t stride, int32_t positions);

/// Queries over a memory.
typedef struct {
    const steno_memory *memory;
    /// The factor applied to the products of queries and keys: 1 / √head_width in most models.
    float scale;
    /// [rows, heads · head_width].
    const float *queries;
    int64_t query_stride;
    int32_t rows;
    /// [rows, heads · head_width].
    float *out;
    int64_t out_stride;
} steno_attention;

/// out[i] = softmax(q[i] · Kᵀ · scale) · V for each head and row.
///
/// Only the scores of a few queries and a block of positions exist at a time, never the whole matrix (Dao et al. 2022).
void steno_attend(steno_pool *pool, const steno_attention *attention);

/// steno_attend for several memories with equal heads in one parallel region of the pool, so that the threads
/// synchronise once.
void steno_attend_all(steno_pool *pool, const steno_attention *attentions, int32_t count);

/// The scores q[i] · K[p] · scale of one head before the softmax: scores[i][p], for word alignment. Ignores `out`.
void steno_attention_scores(const steno_attention *attention, int32_t head, float *scores, int64_t scores_stride);

/// Decoder self-attention over a cache of slots.
///
/// Row i attends to lengths[i] earlier positions, whose keys and values are in the slots of its list. Beams with a
/// common prefix share its slots, so reordering beams copies slot numbers and never keys.
typedef struct {
    /// [rows, heads · head_width].
    const float *queries;
    int64_t query_stride;
    int32_t rows;
    int32_t heads;
    int32_t head_width;
    /// The factor applied to the products of queries and keys.
    float scale;
    /// The channels of slot s and head h start at element s · slot_stride + h · head_stride.
    const void *keys;
    const void *values;
    /// The cache's format: STENO_FLOAT32 or STENO_BFLOAT16.
    steno_format format;
    int64_t slot_stride;
    int64_t head_stride;
    /// Lists of slots, slots_stride apart.
    const int32_t *slots;
    int64_t slots_stride;
    /// [rows].
    const int32_t *lengths;
    /// [rows, heads · head_width].
    float *out;
    int64_t out_stride;
    /// The index of each row's list, [rows]; NULL if row i has list i.
    const int32_t *lists;
} steno_cached_attention;

/// The maximum number of positions a row can attend to.
enum { STENO_CACHED_POSITIONS = 512 };

void steno_attend_cached(steno_pool *pool, const steno_cached_attention *attention);

/// The size of a number in a cache of this format, in bytes; 0 if caches do not support the format.
int32_t steno_cache_number_bytes(steno_format format);
/// Stores `count` floats in a cache, starting at element `index`.
void steno_cache_store(steno_format format, const float *values, int64_t count, void *cache, int64_t index);

#endif
