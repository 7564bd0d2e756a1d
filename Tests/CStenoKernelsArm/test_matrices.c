// Packed numbers can be read back unchanged, and int8 may have any value.
#include "tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static operation rows = {.name = "packed rows", .same_bits = true};
static operation any_bytes = {.name = "products of any bytes", .same_bits = true};

static void check_rows(int32_t outputs, int32_t inputs, steno_format format) {
    random_numbers random = {(uint64_t)(outputs + 100 * inputs)};
    const float *weights = uniform(&random, (int64_t)outputs * inputs, 0, 1);
    float *portable = NULL;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        steno_matrix *matrix = steno_matrix_create(outputs, inputs, format);
        if (!matrix) abort();
        steno_matrix_set_float(matrix, 0, outputs, weights);
        float *out = blanks((int64_t)outputs * inputs);
        for (int32_t n = 0; n < outputs; n++) steno_matrix_get_row(matrix, n, out + (int64_t)n * inputs);
        steno_matrix_destroy(matrix);
        if (t == 0) portable = out;
        for (int32_t i = 0; i < outputs * inputs; i++) {
            const definition kept = {weights[i], format == STENO_INT8 ? 0.5 / 127 + 1e-6 : 1e-30};
            compare(&rows, t, out[i], portable[i], kept, format == STENO_INT8 ? "int8" : "float32");
        }
    }
    free_numbers();
}

// int8 as files may contain it, −128 included, against the largest activations.
static void check_any_bytes(int32_t inputs) {
    enum { OUTPUTS = 19, ROWS = 5 };
    random_numbers random = {5};
    int8_t *weights = room((int64_t)OUTPUTS * inputs);
    for (int32_t i = 0; i < OUTPUTS * inputs; i++) {
        weights[i] = i < 9 * inputs ? -128 : (int8_t)next_number(&random);
    }
    float *x = uniform(&random, (int64_t)ROWS * inputs, 0, 1), scales[OUTPUTS], *portable = NULL;
    for (int32_t n = 0; n < OUTPUTS; n++) scales[n] = 1;
    for (int32_t k = 0; k < inputs; k++) {
        x[k] = -127;
        x[inputs + k] = 127;
    }
    for (int32_t i = 2; i < ROWS; i++) for (int32_t k = 0; k < inputs; k++) {
        x[i * inputs + k] = k == 0 ? 127 : rintf(126 * x[i * inputs + k]);
    }
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        steno_matrix *matrix = steno_matrix_create(OUTPUTS, inputs, STENO_INT8);
        if (!matrix) abort();
        steno_matrix_set_int8(matrix, 0, OUTPUTS, weights, scales);
        float *y = blanks(ROWS * OUTPUTS);
        const steno_product call = {.matrix = matrix, .x = x, .x_stride = inputs, .rows = ROWS, .y = y,
            .y_stride = OUTPUTS, .workspace = room(steno_product_workspace(matrix, ROWS))};
        steno_multiply(NULL, &call);
        steno_matrix_destroy(matrix);
        if (t == 0) portable = y;
        for (int32_t i = 0; i < ROWS * OUTPUTS; i++) {
            double sum = 0;
            for (int32_t k = 0; k < inputs; k++) {
                sum += (double)x[i / OUTPUTS * inputs + k] * weights[i % OUTPUTS * inputs + k];
            }
            compare(&any_bytes, t, y[i], portable[i], (definition){sum, 4e-7 * fabs(sum) + 1e-9}, "any bytes");
        }
    }
    free_numbers();
}

void test_matrices(void) {
    for (steno_format format = STENO_FLOAT32; format <= STENO_INT8; format++) {
        for (int32_t outputs = 1; outputs <= 17; outputs += 4) {
            for (int32_t inputs = 1; inputs <= 19; inputs += 3) check_rows(outputs, inputs, format);
        }
    }
    for (int32_t inputs = 1; inputs <= 1024; inputs = inputs * 2 + 1) check_any_bytes(inputs);
    report(&rows);
    report(&any_bytes);
}
