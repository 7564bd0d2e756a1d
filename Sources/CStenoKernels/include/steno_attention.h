// Scaled dot-product attention: out = softmax(q · Kᵀ · scale) · V, head by head.
//
// A head's width is any multiple of 16 up to STENO_MAX_HEAD_WIDTH. Rows of queries, keys, values and results hold the
// heads' channels in order: heads · head_width numbers.
#ifndef STENO_ATTENTION_H
#define STENO_ATTENTION_H

#include "steno_matrix.h"
#include "steno_pool.h"
#include <stdint.h>

enum { STENO_MAX_HEAD_WIDTH = 256, STENO_HEAD_WIDTH_MULTIPLE = 16 };

/// Keys and values that many queries attend to, packed by head: the encoder's own, or a window's for the decoder.
typedef struct steno_memory steno_memory;

/// Makes room for `capacity` positions in STENO_FLOAT32 or STENO_INT8; NULL when there is no memory, no such format or
/// no such head width.
///
/// In int8, keys have a scale each, and values one for each channel and 128 positions.
steno_memory *steno_memory_create(int32_t heads, int32_t head_width, int32_t capacity, steno_format format);
void steno_memory_destroy(steno_memory *memory);
/// How much memory it takes, scales included.
int64_t steno_memory_bytes(const steno_memory *memory);

/// Packs keys and values [positions, heads · head_width], each row `stride` after the last; positions ≤ capacity.
void steno_memory_set(
    steno_pool *pool, steno_memory *memory, const float *keys, const float *values, int64_t stride, int32_t positions);

/// Queries that attend to a memory.
typedef struct {
    const steno_memory *memory;
    /// What the products of queries and keys are multiplied by: 1 / √head_width in most models.
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
/// The scores of a few queries and a block of positions exist at a time, never the whole matrix (Dao et al. 2022).
void steno_attend(steno_pool *pool, const steno_attention *attention);

/// The scores q[i] · K[p] · scale of one head before the softmax: scores[i][p], for word alignment. `out` is not used.
void steno_attention_scores(const steno_attention *attention, int32_t head, float *scores, int64_t scores_stride);

/// Decoder self-attention over a cache of slots.
///
/// Row i attends to lengths[i] earlier positions, whose keys and values stand in the slots of its list: beams that
/// share a prefix share its slots, so changing beams moves slot numbers and never keys.
typedef struct {
    /// [rows, heads · head_width].
    const float *queries;
    int64_t query_stride;
    int32_t rows;
    int32_t heads;
    int32_t head_width;
    /// What the products of queries and keys are multiplied by.
    float scale;
    /// The channels of slot s and head h begin at number s · slot_stride + h · head_stride.
    const void *keys;
    const void *values;
    /// How the cache stores its numbers: STENO_FLOAT32 or STENO_BFLOAT16.
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
    /// The number of each row's list, [rows]; NULL when row i has list i.
    const int32_t *lists;
} steno_cached_attention;

/// The most positions a row may attend to.
enum { STENO_CACHED_POSITIONS = 512 };

void steno_attend_cached(steno_pool *pool, const steno_cached_attention *attention);

/// The bytes of a number in a cache of this format; 0 when caches have no such format.
int32_t steno_cache_number_bytes(steno_format format);
/// Stores `count` floats from number `index` of a cache on.
void steno_cache_store(steno_format format, const float *values, int64_t count, void *cache, int64_t index);

#endif
