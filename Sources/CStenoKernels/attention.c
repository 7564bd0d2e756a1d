#include "kernels.h"

enum { QUERIES_A_TASK = 96 };

STENO_FORMAT_NAMED(memory)

steno_memory *steno_memory_create(int32_t heads, int32_t head_width, int32_t capacity, steno_format format) {
    const steno_memory_format *operations = memory_format_named(format);
    if (!operations || heads < 1 || capacity < 0) return NULL;
    if (head_width < 1 || head_width > STENO_MAX_HEAD_WIDTH || head_width % STENO_HEAD_WIDTH_MULTIPLE != 0) return NULL;
    const int64_t padded = steno_round_up(capacity, operations->block);
    if (padded > INT32_MAX) return NULL;
    steno_memory *m = calloc(1, sizeof(*m));
    if (!m) return NULL;
    m->format = operations;
    m->heads = heads;
    m->head_width = head_width;
    m->capacity = (int32_t)padded;
    steno_arena arena = {NULL, 0, false};
    operations->layout(m, &arena);
    m->bytes = arena.bytes;
    m->block = steno_arena_allocate(&arena, false);
    if (!m->block) {
        steno_memory_destroy(m);
        return NULL;
    }
    operations->layout(m, &arena);
    return m;
}

void steno_memory_destroy(steno_memory *m) {
    if (!m) return;
    free(m->block);
    free(m);
}

int64_t steno_memory_bytes(const steno_memory *m) { return m->bytes; }

typedef struct {
    steno_memory *memory;
    const float *keys, *values;
    int64_t stride;
    int32_t blocks;
} packing;

static void pack_task(void *context, int32_t index) {
    const packing *p = context;
    steno_memory *m = p->memory;
    const int32_t size = m->format->block, head = index / p->blocks, first = index % p->blocks * size;
    const int32_t count = m->positions - first < size ? m->positions - first : size;
    const int64_t from = first * p->stride + (int64_t)head * m->head_width;
    m->format->pack(m, head, first, count, p->keys + from, p->values + from, p->stride);
}

void steno_memory_set(
    steno_pool *pool, steno_memory *memory, const float *keys, const float *values, int64_t stride, int32_t positions) {
    memory->positions = positions;
    packing p = {memory, keys, values, stride, (positions + memory->format->block - 1) / memory->format->block};
    steno_pool_run(pool, pack_task, &p, memory->heads * p.blocks);
}

static void attend_task(void *context, int32_t index) {
    const steno_attention *a = context;
    const int32_t blocks = (a->rows + QUERIES_A_TASK - 1) / QUERIES_A_TASK, row = index % blocks * QUERIES_A_TASK;
    const int32_t end = row + QUERIES_A_TASK < a->rows ? row + QUERIES_A_TASK : a->rows;
    a->memory->format->attend(a, index / blocks, row, end);
}

void steno_attend(steno_pool *pool, const steno_attention *attention) {
    const int32_t blocks = (attention->rows + QUERIES_A_TASK - 1) / QUERIES_A_TASK;
    steno_pool_run(pool, attend_task, (void *)attention, blocks * attention->memory->heads);
}

static void attend_all_task(void *context, int32_t index) {
    const steno_attention *attentions = context;
    const int32_t heads = attentions->memory->heads;
    const steno_attention *a = attentions + index / heads;
    a->memory->format->attend(a, index % heads, 0, a->rows);
}

void steno_attend_all(steno_pool *pool, const steno_attention *attentions, int32_t count) {
    if (count <= 0) return;
    steno_pool_run(pool, attend_all_task, (void *)attentions, count * attentions->memory->heads);
}

void steno_attention_scores(const steno_attention *attention, int32_t head, float *scores, int64_t scores_stride) {
    attention->memory->format->scores(attention, head, scores, scores_stride);
}

STENO_FORMAT_NAMED(cache)

int32_t steno_cache_number_bytes(steno_format format) {
    const steno_cache_format *operations = cache_format_named(format);
    return operations ? operations->number_bytes : 0;
}

void steno_cache_store(steno_format format, const float *values, int64_t count, void *cache, int64_t index) {
    const steno_cache_format *operations = cache_format_named(format);
    if (operations) operations->store(values, count, cache, index);
}

typedef struct {
    const steno_cache_format *format;
    const steno_cached_attention *attention;
} cached_attention;

static void attend_cached_task(void *context, int32_t head) {
    const cached_attention *c = context;
    const int32_t rows = c->attention->rows;
    for (int32_t row = 0; row < rows; row += STENO_CACHED_ROWS) {
        const int32_t end = row + STENO_CACHED_ROWS < rows ? row + STENO_CACHED_ROWS : rows;
        c->format->attend(c->attention, row, end, head);
    }
}

void steno_attend_cached(steno_pool *pool, const steno_cached_attention *attention) {
    cached_attention c = {cache_format_named(attention->format), attention};
    if (c.format) steno_pool_run(pool, attend_cached_task, &c, attention->heads);
}
