#include "kernels.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, QUERIES_A_TASK = 96 };

steno_memory *steno_memory_create(int32_t heads, int32_t capacity) {
    const int32_t panel = steno_kernels_current()->panel;
    steno_memory *m = calloc(1, sizeof(*m));
    if (!m) return NULL;
    m->heads = heads;
    m->capacity = (capacity + panel - 1) / panel * panel;
    void *keys = NULL, *values = NULL;
    const size_t bytes = (size_t)steno_memory_bytes(m) / 2;
    if (posix_memalign(&keys, ALIGNMENT, bytes) == 0) m->keys = keys;
    if (posix_memalign(&values, ALIGNMENT, bytes) == 0) m->values = values;
    if (!m->keys || !m->values) {
        steno_memory_destroy(m);
        return NULL;
    }
    return m;
}

void steno_memory_destroy(steno_memory *m) {
    if (!m) return;
    free(m->keys);
    free(m->values);
    free(m);
}

int64_t steno_memory_bytes(const steno_memory *m) {
    return 2 * (int64_t)m->heads * m->capacity * STENO_HEAD * (int64_t)sizeof(float);
}

typedef struct {
    steno_memory *memory;
    const float *keys, *values;
    int64_t stride;
    int32_t panel;
} packing;

// Packs one panel of positions of one head; past the last position the keys are zeros, so that no score is NaN.
static void pack_task(void *context, int32_t index) {
    const packing *p = context;
    steno_memory *m = p->memory;
    const int32_t blocks = (m->positions + p->panel - 1) / p->panel;
    const int32_t head = index / blocks, first = index % blocks * p->panel, width = p->panel;
    const int64_t base = (int64_t)head * m->capacity * STENO_HEAD;
    float *keys = m->keys + base + (int64_t)first * STENO_HEAD;
    for (int32_t i = 0; i < width; i++) {
        const int there = first + i < m->positions;
        const float *key = p->keys + (int64_t)(first + i) * p->stride + head * STENO_HEAD;
        const float *value = p->values + (int64_t)(first + i) * p->stride + head * STENO_HEAD;
        for (int32_t c = 0; c < STENO_HEAD; c++) keys[c * width + i] = there ? key[c] : 0;
        if (!there) continue;
        for (int32_t c = 0; c < STENO_HEAD; c += width) {
            float *to = m->values + base + (int64_t)c * m->capacity + (int64_t)(first + i) * width;
            memcpy(to, value + c, (size_t)width * sizeof(float));
        }
    }
}

void steno_memory_set(
    steno_pool *pool, steno_memory *memory, const float *keys, const float *values, int64_t stride, int32_t positions) {
    packing p = {memory, keys, values, stride, steno_kernels_current()->panel};
    memory->positions = positions;
    steno_pool_run(pool, pack_task, &p, memory->heads * ((positions + p.panel - 1) / p.panel));
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
    a->kernels->attend(
        a->memory, index / a->blocks, a->queries, a->query_stride, row, end, a->out, a->out_stride);
}

void steno_attend(
    steno_pool *pool, const steno_memory *memory, const float *queries, int64_t query_stride, int32_t rows, float *out,
    int64_t out_stride) {
    attending a = {steno_kernels_current(), memory, queries, query_stride, rows, out, out_stride,
                   (rows + QUERIES_A_TASK - 1) / QUERIES_A_TASK};
    steno_pool_run(pool, attend_task, &a, a.blocks * memory->heads);
}

void steno_attention_scores(
    const steno_memory *memory, int32_t head, const float *queries, int64_t query_stride, int32_t rows, float *scores,
    int64_t scores_stride) {
    steno_kernels_current()->scores(memory, head, queries, query_stride, rows, scores, scores_stride);
}

static void attend_cached_task(void *context, int32_t head) {
    const steno_cached_attention *a = context;
    const steno_kernels *kernels = steno_kernels_current();
    for (int32_t row = 0; row < a->rows; row++) kernels->attend_cached(a, row, head);
}

void steno_attend_cached(steno_pool *pool, const steno_cached_attention *attention) {
    steno_pool_run(pool, attend_cached_task, (void *)attention, attention->heads);
}
