#include "tests.h"

#include <math.h>
#include <string.h>

static operation relative = {.name = "attention, relative"};

// Queries at the end of some positions; with chunks, a query attends to its chunk and to as many positions before it as
// `left`, and only the distances between these are there; with ANY, each attends to a range of its own.
enum { ALL = 0, ANY = -1 };

static void check(
    int32_t heads, int32_t channels, int32_t positions, int32_t rows, int32_t chunk, int32_t left) {
    random_numbers random = {(uint64_t)(positions * 1009 + rows)};
    const int64_t width = heads * channels;
    const int32_t query = positions - rows, reach = chunk > 0 ? left + chunk - 1 : positions - 1;
    const int32_t least = -reach, distances = 2 * reach + 1;
    // Peaked scores among ranges of any size, which the running maximum has to follow.
    const float *queries = uniform(&random, rows * width, 0, chunk == ANY ? 3 : 1);
    const float *keys = uniform(&random, positions * width, 0, 2), *values = uniform(&random, positions * width, 0.5f, 1);
    const float *encodings = uniform(&random, distances * width, 0, 2);
    const float *u = uniform(&random, width, 0, 1), *v = uniform(&random, width, 0, 1), *portable = NULL;
    int32_t first[rows], end[rows];
    for (int32_t i = 0; i < rows; i++) {
        const int32_t start = chunk > 0 ? (query + i) / chunk * chunk : 0;
        first[i] = chunk > 0 && start > left ? start - left : 0;
        end[i] = chunk > 0 && start + chunk < positions ? start + chunk : positions;
        if (chunk != ANY) continue;
        first[i] = (int32_t)(next_number(&random) % (uint64_t)positions);
        end[i] = first[i] + 1 + (int32_t)(next_number(&random) % (uint64_t)(positions - first[i]));
    }
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        steno_memory *memory = steno_memory_create(heads, channels, positions, STENO_FLOAT32);
        steno_matrix *matrix = steno_matrix_create(distances, (int32_t)width, STENO_FLOAT32);
        steno_memory_set(NULL, memory, keys, values, width, positions);
        steno_matrix_set_float(matrix, 0, distances, encodings);
        float *out = blanks(rows * width);
        const float scale = 1 / sqrtf((float)channels);
        const steno_relative_attention call = {
            .memory = memory, .encodings = matrix, .first_distance = least, .first_query = query, .scale = scale,
            .content_bias = u, .position_bias = v, .queries = queries, .query_stride = width, .rows = rows,
            .first = chunk ? first : NULL, .end = chunk ? end : NULL, .out = out, .out_stride = width};
        steno_attend_relative(NULL, &call);
        steno_memory_destroy(memory);
        steno_matrix_destroy(matrix);
        if (t == 0) portable = out;
        for (int32_t i = 0; i < rows; i++) {
            for (int32_t h = 0; h < heads; h++) {
                double weights[positions], peak = -INFINITY, total = 0;
                const float *q = queries + i * width + h * channels;
                for (int32_t p = first[i]; p < end[i]; p++) {
                    const float *k = keys + p * width + h * channels;
                    const float *r = encodings + (p - query - i - least) * width + h * channels;
                    double sum = 0;
                    for (int32_t c = 0; c < channels; c++) {
                        sum += ((double)q[c] + u[h * channels + c]) * k[c] + ((double)q[c] + v[h * channels + c]) * r[c];
                    }
                    weights[p] = sum * scale;
                    peak = fmax(peak, weights[p]);
                }
                for (int32_t p = first[i]; p < end[i]; p++) total += weights[p] = exp(weights[p] - peak);
                for (int32_t c = 0; c < channels; c++) {
                    double sum = 0;
                    for (int32_t p = first[i]; p < end[i]; p++) {
                        sum += weights[p] / total * values[p * width + h * channels + c];
                    }
                    const int64_t at = i * width + h * channels + c;
                    compare(&relative, t, out[at], portable[at], (definition){sum, chunk == ANY ? 3e-5 : 2e-5}, text("%d positions", positions));
                }
            }
        }
    }
    free_numbers();
}

// Bit for bit: a stream's results do not depend on how many of its queries are computed at once, over which positions.
static void check_parts(void) {
    enum { CHUNK = 14, CHUNKS = 8, LEFT = 70, COUNT = CHUNK * CHUNKS, WIDTH = 128, REACH = LEFT + CHUNK };
    random_numbers random = {5};
    const float *queries = uniform(&random, COUNT * WIDTH, 0, 1), *keys = uniform(&random, COUNT * WIDTH, 0, 2);
    const float *encodings = uniform(&random, 2 * REACH * WIDTH, 0, 2), *bias = uniform(&random, WIDTH, 0, 1);
    int32_t first[COUNT], end[COUNT];
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        steno_matrix *matrix = steno_matrix_create(2 * REACH, WIDTH, STENO_FLOAT32);
        steno_matrix_set_float(matrix, 0, 2 * REACH, encodings);
        float *together = blanks(COUNT * WIDTH), *alone = blanks(COUNT * WIDTH);
        for (int chunk = -1; chunk < CHUNKS; chunk++) { // all at once, then each chunk over its own positions
            const int32_t row = chunk < 0 ? 0 : chunk * CHUNK, rows = chunk < 0 ? COUNT : CHUNK;
            const int32_t origin = row > LEFT ? row - LEFT : 0, positions = row + rows - origin;
            for (int32_t i = 0; i < rows; i++) {
                const int32_t start = (row + i) / CHUNK * CHUNK;
                first[i] = (start > LEFT ? start - LEFT : 0) - origin;
                end[i] = start + CHUNK - origin;
            }
            steno_memory *memory = steno_memory_create(2, 64, positions, STENO_FLOAT32);
            steno_memory_set(NULL, memory, keys + origin * WIDTH, keys + origin * WIDTH, WIDTH, positions);
            const steno_relative_attention call = {
                .memory = memory, .encodings = matrix, .first_distance = -REACH, .first_query = row - origin,
                .scale = 0.125f, .content_bias = bias, .position_bias = bias, .queries = queries + row * WIDTH,
                .query_stride = WIDTH, .rows = rows, .first = first, .end = end,
                .out = (chunk < 0 ? together : alone) + row * WIDTH, .out_stride = WIDTH};
            steno_attend_relative(NULL, &call);
            steno_memory_destroy(memory);
        }
        steno_matrix_destroy(matrix);
        expect(same(together, alone, COUNT * WIDTH), t, "parts differ from the whole", "attention, relative");
    }
    free_numbers();
}

void test_relative(void) {
    check(1, 64, 1, 1, ALL, 0);
    check(2, 16, 33, 33, ALL, 0);
    check(1, 128, 70, 25, ALL, 0);
    check(1, 64, 300, 100, ALL, 0);
    check(1, 80, 270, 30, ALL, 0);
    check(2, 64, 98, 84, 7, 14);
    check(1, 64, 84, 14, 14, 70);
    check(1, 128, 71, 1, 1, 70);
    check(3, 32, 513, 7, ALL, 0);
    check(1, 256, 40, 40, ALL, 0);
    check(2, 64, 40, 40, ANY, 0);
    check(2, 64, 600, 60, ANY, 0);
    check(2, 64, 320, 3, ANY, 0);
    check_parts();
    report(&relative);
}
