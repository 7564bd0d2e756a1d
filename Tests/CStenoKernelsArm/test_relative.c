#include "tests.h"

#include <math.h>
#include <string.h>

static operation relative = {.name = "attention, relative"};

// Queries at the end of some positions; with chunks, a query attends to its chunk and to as many positions before it as
// `left`, and only the distances between these are there.
static void check(
    int32_t heads, int32_t channels, int32_t positions, int32_t rows, int32_t chunk, int32_t left) {
    random_numbers random = {(uint64_t)(positions * 1009 + rows)};
    const int64_t width = heads * channels;
    const int32_t query = positions - rows, reach = chunk ? left + chunk - 1 : positions - 1;
    const int32_t least = -reach, distances = 2 * reach + 1;
    const float *queries = uniform(&random, rows * width, 0, 1), *keys = uniform(&random, positions * width, 0, 2);
    const float *values = uniform(&random, positions * width, 0.5f, 1);
    const float *encodings = uniform(&random, distances * width, 0, 2);
    const float *u = uniform(&random, width, 0, 1), *v = uniform(&random, width, 0, 1), *portable = NULL;
    int32_t first[rows], end[rows];
    for (int32_t i = 0; i < rows; i++) {
        const int32_t start = chunk ? (query + i) / chunk * chunk : 0;
        first[i] = chunk && start > left ? start - left : 0;
        end[i] = chunk && start + chunk < positions ? start + chunk : positions;
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
                    compare(&relative, t, out[at], portable[at], (definition){sum, 2e-5}, text("%d positions", positions));
                }
            }
        }
    }
    free_numbers();
}

void test_relative(void) {
    check(1, 64, 1, 1, 0, 0);
    check(2, 16, 33, 33, 0, 0);
    check(1, 128, 70, 25, 0, 0);
    check(1, 64, 300, 100, 0, 0);
    check(1, 80, 270, 30, 0, 0);
    check(2, 64, 98, 84, 7, 14);
    check(1, 64, 84, 14, 14, 70);
    check(1, 128, 71, 1, 1, 70);
    report(&relative);
}
