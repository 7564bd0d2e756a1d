#include "kernels.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, QUERIES_A_TASK = 96 };

static void *allocate(int64_t bytes) {
    void *memory = NULL;
    return posix_memalign(&memory, ALIGNMENT, (size_t)bytes) == 0 ? memory : NULL;
}

steno_memory *steno_memory_create(int32_t heads, int32_t capacity, steno_precision precision) {
    const int32_t multiple = precision == STENO_INT8 ? STENO_BLOCK : steno_kernels_current()->panel;
    steno_memory *m = calloc(1, sizeof(*m));
    if (!m) return NULL;
    m->heads = heads;
    m->precision = precision;
    m->capacity = (capacity + multiple - 1) / multiple * multiple;
    const int64_t positions = (int64_t)heads * m->capacity, number = precision == STENO_INT8 ? 1 : sizeof(float);
    m->keys = allocate(positions * STENO_HEAD * number);
    m->values = allocate(positions * STENO_HEAD * number);
    if (precision == STENO_INT8) {
        m->key_units = allocate(positions * (int64_t)sizeof(float));
        m->key_sums = allocate(positions * (int64_t)sizeof(int32_t));
        m->value_units = allocate(positions / STENO_BLOCK * STENO_HEAD * (int64_t)sizeof(float));
        m->value_sums = allocate(positions / STENO_BLOCK * STENO_HEAD * (int64_t)sizeof(int32_t));
    }
    const int has_units = m->key_units && m->key_sums && m->value_units && m->value_sums;
    if (!m->keys || !m->values || (precision == STENO_INT8 && !has_units)) {
        steno_memory_destroy(m);
        return NULL;
    }
    return m;
}

void steno_memory_destroy(steno_memory *m) {
    if (!m) return;
    free(m->keys);
    free(m->values);
    free(m->key_units);
    free(m->key_sums);
    free(m->value_units);
    free(m->value_sums);
    free(m);
}

int64_t steno_memory_bytes(const steno_memory *m) {
    const int64_t positions = (int64_t)m->heads * m->capacity;
    if (m->precision == STENO_FLOAT32) return 2 * positions * STENO_HEAD * (int64_t)sizeof(float);
    const int64_t units = positions * 8 + positions / STENO_BLOCK * STENO_HEAD * 8;
    return 2 * positions * STENO_HEAD + units;
}

typedef struct {
    steno_memory *memory;
    const float *keys, *values;
    int64_t stride;
    const steno_kernels *kernels;
} packing;

// Packs one panel of positions of one head; past the last position the keys are zeros, so that no score is NaN.
static void pack_task(void *context, int32_t index) {
    const packing *p = context;
    steno_memory *m = p->memory;
    const int32_t width = p->kernels->panel, blocks = (m->positions + width - 1) / width;
    const int32_t head = index / blocks, first = index % blocks * width;
    const int64_t base = (int64_t)head * m->capacity * STENO_HEAD;
    float *keys = (float *)m->keys + base + (int64_t)first * STENO_HEAD;
    for (int32_t i = 0; i < width; i++) {
        const int there = first + i < m->positions;
        const float *key = p->keys + (int64_t)(first + i) * p->stride + head * STENO_HEAD;
        const float *value = p->values + (int64_t)(first + i) * p->stride + head * STENO_HEAD;
        for (int32_t c = 0; c < STENO_HEAD; c++) keys[c * width + i] = there ? key[c] : 0;
        if (!there) continue;
        for (int32_t c = 0; c < STENO_HEAD; c += width) {
            float *to = (float *)m->values + base + (int64_t)c * m->capacity + (int64_t)(first + i) * width;
            memcpy(to, value + c, (size_t)width * sizeof(float));
        }
    }
}

static void pack8_task(void *context, int32_t index) {
    const packing *p = context;
    steno_memory *m = p->memory;
    const int32_t blocks = (m->positions + STENO_BLOCK - 1) / STENO_BLOCK;
    const int32_t head = index / blocks, first = index % blocks * STENO_BLOCK;
    const int32_t count = m->positions - first < STENO_BLOCK ? m->positions - first : STENO_BLOCK;
    const int64_t from = first * p->stride + head * STENO_HEAD;
    p->kernels->pack8(m, head, first, count, p->keys + from, p->values + from, p->stride);
}

void steno_memory_set(
    steno_pool *pool, steno_memory *memory, const float *keys, const float *values, int64_t stride, int32_t positions) {
    const int is_int8 = memory->precision == STENO_INT8;
    packing p = {memory, keys, values, stride, steno_kernels_current()};
    const int32_t size = is_int8 ? STENO_BLOCK : p.kernels->panel;
    memory->positions = positions;
    steno_pool_run(pool, is_int8 ? pack8_task : pack_task, &p, memory->heads * ((positions + size - 1) / size));
}

typedef struct {
    const steno_kernels *kernels;
    const steno_memory *memory;
    const float *queries;
    int64_t query_stride;
    int32_t rows;
    float *out;
    int64_t out_stride;
    int32_t blocks;
} attending;

static void attend_task(void *context, int32_t index) {
    const attending *a = context;
    const int32_t row = index % a->blocks * QUERIES_A_TASK;
    const int32_t end = row + QUERIES_A_TASK < a->rows ? row + QUERIES_A_TASK : a->rows;
    (a->memory->precision == STENO_INT8 ? a->kernels->attend8 : a->kernels->attend)(
        a->memory, index / a->blocks, a->queries, a->query_stride, row, end, a->out, a->out_stride);
}

void steno_attend(
    steno_pool *pool, const steno_memory *memory, const float *queries, int64_t query_stride, int32_t rows, float *out,
    int64_t out_stride) {
    attending a = {steno_kernels_current(), memory, queries, query_stride, rows, out, out_stride,
                   (rows + QUERIES_A_TASK - 1) / QUERIES_A_TASK};
    steno_pool_run(pool, attend_task, &a, a.blocks * memory->heads);
}

typedef struct {
    const steno_kernels *kernels;
    const steno_window_queries *windows;
    const float *queries;
    int64_t query_stride;
    float *out;
    int64_t out_stride;
} window_attending;

static void attend_window_task(void *context, int32_t index) {
    const window_attending *a = context;
    const int32_t heads = a->windows->memory->heads;
    const steno_window_queries *w = a->windows + index / heads;
    (w->memory->precision == STENO_INT8 ? a->kernels->attend8 : a->kernels->attend)(
        w->memory, index % heads, a->queries, a->query_stride, w->row, w->row_end, a->out, a->out_stride);
}

void steno_attend_windows(
    steno_pool *pool, const steno_window_queries *windows, int32_t count, const float *queries, int64_t query_stride,
    float *out, int64_t out_stride) {
    if (count <= 0) return;
    window_attending a = {steno_kernels_current(), windows, queries, query_stride, out, out_stride};
    steno_pool_run(pool, attend_window_task, &a, count * windows->memory->heads);
}

void steno_attention_scores(
    const steno_memory *memory, int32_t head, const float *queries, int64_t query_stride, int32_t rows, float *scores,
    int64_t scores_stride) {
    const steno_kernels *kernels = steno_kernels_current();
    (memory->precision == STENO_INT8 ? kernels->scores8 : kernels->scores)(
        memory, head, queries, query_stride, rows, scores, scores_stride);
}

static void attend_cached_task(void *context, int32_t head) {
    const steno_cached_attention *a = context;
    const steno_kernels *kernels = steno_kernels_current();
    for (int32_t row = 0; row < a->rows; row += STENO_CACHED_ROWS) {
        const int32_t end = row + STENO_CACHED_ROWS < a->rows ? row + STENO_CACHED_ROWS : a->rows;
        kernels->attend_cached(a, row, end, head);
    }
}

void steno_attend_cached(steno_pool *pool, const steno_cached_attention *attention) {
    steno_pool_run(pool, attend_cached_task, (void *)attention, attention->heads);
}
