// Results are the same bit by bit in any number of threads, in the place of their inputs too, and for rows together or alone.
#include "products.h"

#include <stdlib.h>
#include <string.h>

// A result of `count` numbers, computed by `work` from `data`.
typedef struct {
    const char *name;
    int64_t count;
    void (*work)(const void *data, steno_pool *pool, float *out);
    const void *data;
} computation;

static void check(computation c) {
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *alone = blanks(c.count), *shared = blanks(c.count);
        c.work(c.data, NULL, alone);
        for (int threads = 1; threads <= 5; threads += threads < 3 ? 1 : 2) {
            steno_pool *pool = steno_pool_create(threads);
            c.work(c.data, pool, shared);
            steno_pool_destroy(pool);
            expect(same(alone, shared, c.count), t, text("%d threads change the result", threads), c.name);
        }
    }
    free_numbers();
}

// Rows of some width, and numbers for each column.
typedef struct { const float *x, *gamma, *beta; int32_t rows, width; } sheet;

static sheet random_sheet(int32_t rows, int32_t width) {
    random_numbers random = {3};
    const float *x = uniform(&random, (int64_t)rows * width, 0, 1), *gamma = uniform(&random, width, 1, 1);
    return (sheet){x, gamma, uniform(&random, width, 0, 1), rows, width};
}

// Without threads into other memory, with threads in place.
static const float *input(const sheet *s, steno_pool *pool, float *out) {
    if (!pool) return s->x;
    memcpy(out, s->x, (size_t)s->rows * (size_t)s->width * sizeof(float));
    return out;
}

static void layer_norm(const void *data, steno_pool *pool, float *y) {
    const sheet *s = data;
    const float *x = input(s, pool, y);
    steno_layer_norm(pool, x, s->width, s->rows, s->width, s->gamma, s->beta, 1e-5f, y, s->width);
}

static void group_norm(const void *data, steno_pool *pool, float *y) {
    const sheet *s = data;
    const float *x = input(s, pool, y);
    steno_group_norm(pool, x, s->width, s->rows, s->width, s->gamma, s->beta, 1e-5f, y, s->width);
}

static void scale_channels(const void *data, steno_pool *pool, float *y) {
    const sheet *s = data;
    const float *x = input(s, pool, y);
    steno_scale_channels(pool, x, s->width, s->rows, s->width, s->gamma, s->beta, 0, y, s->width);
}

static void max_pool(const void *data, steno_pool *pool, float *y) {
    const sheet *s = data;
    steno_max_pool(pool, s->x, s->width, s->rows / 3, s->width, 3, true, y, s->width);
}

// The result takes the place of the values; the gates beside it stay.
static void gate_silu(const void *data, steno_pool *pool, float *y) {
    const sheet *s = data;
    memcpy(y, s->x, (size_t)s->rows * (size_t)s->width * sizeof(float));
    steno_gate_silu(pool, pool ? y : s->x, s->width, s->rows, s->width / 2, y, s->width);
}

static void rotation(const void *data, steno_pool *pool, float *y) {
    const sheet *s = data;
    const steno_rotation call = {
        s->x, s->width, s->rows, 1, s->width, 16, s->x, y, s->width, s->width};
    steno_rotate(pool, &call);
}

static void depthwise(const void *data, steno_pool *pool, float *y) {
    const sheet *s = data;
    const steno_depthwise call = {
        s->x, s->width, s->rows - 8, s->width, 9, s->x, s->beta, STENO_SILU, y, s->width};
    steno_convolve_depthwise(pool, &call);
}

static void check_sheets(void) {
    check((computation){"layer norm", 150 * 40, layer_norm, &(sheet[]){random_sheet(150, 40)}});
    check((computation){"group norm", 333 * 40, group_norm, &(sheet[]){random_sheet(333, 40)}});
    check((computation){"scaled channels", 3000 * 40, scale_channels, &(sheet[]){random_sheet(3000, 40)}});
    check((computation){"max pool", 1000 * 40, max_pool, &(sheet[]){random_sheet(3000, 40)}});
    check((computation){"gate", 150 * 40, gate_silu, &(sheet[]){random_sheet(150, 40)}});
    check((computation){"rotation", 150 * 36, rotation, &(sheet[]){random_sheet(150, 36)}});
    check((computation){"depthwise convolution", 100 * 24, depthwise, &(sheet[]){random_sheet(108, 24)}});
}

static void multiply(const void *data, steno_pool *pool, float *y) {
    const product *p = data;
    memcpy(y, multiplied(p, pool), (size_t)p->rows * (size_t)p->outputs * sizeof(float));
}

static void check_products(steno_format format) {
    const int32_t sizes[][2] = {{7, 1}, {100, 5}, {33, 97}, {64, 200}};
    for (int i = 0; i < 4; i++) {
        const product p = random_product(sizes[i][0], 50, sizes[i][1], format);
        check((computation){"products", (int64_t)p.rows * p.outputs, multiply, &p});
    }
}

// Queries of several windows, with a memory for each.
enum { WINDOWS = 3, HEADS = 2, WIDTH = 64 * HEADS };
typedef struct { steno_format format; bool together; const float *queries, *keys, *values; } windows;
static const int32_t positions[WINDOWS] = {300, 129, 40}, rows[WINDOWS] = {200, 1, 13};

// With a pool, `together` in one call; otherwise one after another.
static void attend(const void *data, steno_pool *pool, float *out) {
    const windows *w = data;
    steno_attention calls[WINDOWS];
    steno_memory *memories[WINDOWS];
    for (int i = 0, row = 0; i < WINDOWS; row += rows[i++]) {
        memories[i] = steno_memory_create(HEADS, 64, positions[i], w->format);
        steno_memory_set(pool, memories[i], w->keys + i * WIDTH, w->values + i * WIDTH, WIDTH, positions[i]);
        calls[i] = (steno_attention){
            memories[i], 0.125f, w->queries + row * WIDTH, WIDTH, rows[i], out + row * WIDTH, WIDTH};
        if (!pool || !w->together) steno_attend(pool, &calls[i]);
    }
    if (pool && w->together) steno_attend_all(pool, calls, WINDOWS);
    for (int i = 0; i < WINDOWS; i++) steno_memory_destroy(memories[i]);
}

static void check_attention(steno_format format, bool together) {
    random_numbers random = {6};
    const int64_t count = rows[0] + rows[1] + rows[2];
    const float *queries = uniform(&random, count * WIDTH, 0, 1), *keys = uniform(&random, 303 * WIDTH, 0, 2);
    const windows w = {format, together, queries, keys, uniform(&random, 303 * WIDTH, 0.5f, 1)};
    check((computation){"attention", count * WIDTH, attend, &w});
}

static void relative(const void *data, steno_pool *pool, float *out) {
    enum { ROWS = 250, CHANNELS = 3 * 64 };
    const sheet *s = data;
    steno_memory *memory = steno_memory_create(3, 64, ROWS, STENO_FLOAT32);
    steno_matrix *encodings = steno_matrix_create(2 * ROWS, CHANNELS, STENO_FLOAT32);
    if (!memory || !encodings) abort();
    steno_memory_set(pool, memory, s->x, s->x + CHANNELS, CHANNELS, ROWS);
    steno_matrix_set_float(encodings, 0, 2 * ROWS, s->x);
    const steno_relative_attention call = {
        .memory = memory, .encodings = encodings, .first_distance = 1 - ROWS, .scale = 0.125f, .content_bias = s->gamma,
        .position_bias = s->beta, .queries = s->x, .query_stride = CHANNELS, .rows = ROWS, .out = out,
        .out_stride = CHANNELS};
    steno_attend_relative(pool, &call);
    steno_memory_destroy(memory);
    steno_matrix_destroy(encodings);
}

// A row's result does not depend on the rows beside it: counts around the tiles of every table, and the blocks that
// threads get.
static void check_company(steno_format format) {
    const int32_t counts[] = {2, 3, 5, 6, 7, 11, 12, 13, 40, 97, 100};
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        product p = random_product(51, 130, counts[i], format);
        random_numbers random = {4};
        p.bias = uniform(&random, 51, 0, 1);
        p.residual = uniform(&random, 51 * p.rows, 0, 1);
        p.activation = STENO_GELU;
        for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
            const float *together = multiplied(&p, NULL);
            const int32_t some[] = {0, 1, p.rows / 2, p.rows - 1};
            for (int k = 0; k < 4; k++) {
                product one = p;
                one.rows = 1;
                one.x += some[k] * p.x_stride;
                one.residual += some[k] * 51;
                const bool is_same = same(multiplied(&one, NULL), together + some[k] * 51, 51);
                expect(is_same, t, "a row alone differs from the row among others", text("%d rows", p.rows));
            }
        }
        free_numbers();
    }
}

void test_threads(void) {
    check_sheets();
    for (steno_format format = STENO_FLOAT32; format <= STENO_INT8; format++) {
        check_products(format);
        check_company(format);
        check_attention(format, false);
        check_attention(format, true);
    }
    check((computation){"relative attention", 250 * 192, relative, &(sheet[]){random_sheet(500, 192)}});
}
