// Products of ternary matrices have the bits of their definition: the sums of groups are exact, and are added in order.
#include "tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static operation products = {.name = "products, ternary", .same_bits = true};
static operation kept = {.name = "packed rows, ternary", .same_bits = true};

enum { GROUP = STENO_TERNARY_GROUP };

static float defined(const float *x, const int8_t *w, const float *scales, int32_t inputs) {
    float peak = 0, total = 0;
    for (int32_t k = 0; k < inputs; k++) peak = fmaxf(peak, fabsf(x[k]));
    const float steps = peak > 0 ? 127 / peak : 1;
    for (int32_t start = 0; start < inputs; start += GROUP) {
        int32_t sum = 0;
        for (int32_t k = start; k < inputs && k < start + GROUP; k++) sum += (int32_t)rintf(x[k] * steps) * w[k];
        total = fmaf((float)sum, scales[start / GROUP], total);
    }
    return total * (1 / steps);
}

// Magnitudes of x are all equal if `extreme`, and weights have the sign that makes the sums largest.
static void check(int32_t outputs, int32_t inputs, int32_t rows, bool extreme, const bool selected[TABLES]) {
    random_numbers random = {(uint64_t)(outputs + 100 * inputs + 10000 * rows)};
    const int32_t groups = (inputs + GROUP - 1) / GROUP;
    int8_t *weights = room((int64_t)outputs * inputs);
    float *x = uniform(&random, (int64_t)rows * inputs, 0.1f, 2);
    const float *scales = uniform(&random, (int64_t)outputs * groups, 0.01f, 0.02);
    for (int32_t i = 0; i < rows * inputs && extreme; i++) x[i] = i % 3 == 0 ? -1 : 1;
    for (int32_t i = 0; i < outputs * inputs; i++) {
        weights[i] = (int8_t)(extreme ? (i % inputs % 3 == 0 ? -1 : 1) : (int)(next_number(&random) % 3) - 1);
    }
    float *portable = NULL, *portable_row = NULL;
    for (int t = 0; t < TABLES; t++) {
        if (!selected[t]) continue;
        use_table(t);
        steno_matrix *matrix = steno_matrix_create(outputs, inputs, STENO_TERNARY);
        if (!matrix) abort();
        const int32_t damaged = steno_matrix_set_ternary(matrix, 0, outputs, weights, scales);
        expect(damaged == 0, t, "finite scales are refused", "ternary");
        float *y = blanks((int64_t)rows * outputs), *row = blanks(inputs);
        const steno_product call = {.matrix = matrix, .x = x, .x_stride = inputs, .rows = rows, .y = y,
            .y_stride = outputs, .workspace = room(steno_product_workspace(matrix, rows))};
        steno_multiply(NULL, &call);
        steno_matrix_get_row(matrix, outputs - 1, row);
        steno_matrix_destroy(matrix);
        if (t == 0) {
            portable = y;
            portable_row = row;
        }
        const char *where = text("%d rows, %d x %d", rows, outputs, inputs);
        for (int64_t i = 0; i < (int64_t)rows * outputs; i++) {
            const int64_t r = i / outputs, n = i % outputs;
            const float expected = defined(x + r * inputs, weights + n * inputs, scales + n * groups, inputs);
            compare(&products, t, y[i], portable[i], (definition){expected, 1e-30}, where);
        }
        for (int32_t k = 0; k < inputs; k++) {
            const int32_t last = outputs - 1;
            const float weight = weights[(int64_t)last * inputs + k] * scales[last * groups + k / GROUP];
            compare(&kept, t, row[k], portable_row[k], (definition){weight, 1e-30}, where);
        }
    }
    free_numbers();
}

void test_ternary(const bool selected[TABLES]) {
    for (int32_t rows = 1; rows <= 26; rows++) check(19, 300, rows, false, selected);
    for (int32_t outputs = 1; outputs <= 33; outputs += 4) {
        for (int32_t inputs = 1; inputs <= 513; inputs = inputs * 2 + 1) check(outputs, inputs, 3, false, selected);
    }
    check(24, 256, 200, false, selected);
    check(24, 384, 30, true, selected);
    report(&products, selected);
    report(&kept, selected);
}
