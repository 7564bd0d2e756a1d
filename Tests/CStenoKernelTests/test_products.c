#include "products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static operation floats = {.name = "products, float32"};
static operation bytes = {.name = "products, int8", .same_bits = true};

static void check(const product *p) {
    operation *o = p->format == STENO_INT8 ? &bytes : &floats;
    const char *where = text("%d rows, %d x %d", p->rows, p->outputs, p->inputs);
    float *y[TABLES] = {NULL};
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        y[t] = multiplied(p, NULL);
    }
    definition expected[p->outputs];
    for (int32_t row = 0; row < p->rows; row++) {
        if (row > 13 && row != p->rows / 2 && row < p->rows - 2) continue;
        define_row(p, row, expected);
        for (int t = 0; t < TABLES; t++) {
            if (!selected[t]) continue;
            for (int32_t n = 0; n < p->y_stride; n++) {
                const int64_t at = row * p->y_stride + n;
                if (n < p->outputs) {
                    compare(o, t, y[t][at], y[0][at], expected[n], where);
                } else {
                    expect(isnan(y[t][at]), t, "wrote beyond a row's end", where);
                }
            }
        }
    }
}

static void check_and_free(product p) {
    check(&p);
    free_numbers();
}

static void shapes(steno_format format) {
    const int32_t rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 24, 25, 96, 97, 200};
    const int32_t outputs[] = {1, 2, 7, 8, 9, 15, 16, 17, 33, 65};
    const int32_t inputs[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 129};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        check_and_free(random_product(35, 67, rows[i], format));
    }
    for (size_t n = 0; n < sizeof(outputs) / sizeof(*outputs); n++) {
        for (size_t k = 0; k < sizeof(inputs) / sizeof(*inputs); k++) {
            for (int32_t i = 1; i <= 3; i++) check_and_free(random_product(outputs[n], inputs[k], i, format));
        }
    }
    check_and_free(random_product(384, 1536, 2, format));
}

// Bias, then GELU, then the residual.
static void epilogues(steno_format format) {
    const int32_t outputs[] = {64, 35, 3}, rows[] = {13, 7, 97};
    for (int shape = 0; shape < 3; shape++) {
        for (int choice = 0; choice < 8; choice++) {
            product p = random_product(outputs[shape], 33, rows[shape], format);
            random_numbers random = {7};
            p.y_stride = p.outputs + 5;
            if (choice & 1) p.bias = uniform(&random, p.outputs, 0.5f, 3);
            if (choice & 2) p.activation = STENO_GELU;
            if (choice & 4) p.residual = uniform(&random, p.rows * p.y_stride, 0, 10);
            check_and_free(p);
        }
    }
}

// A convolution's rows overlap.
static void overlapping_rows(steno_format format) {
    const int64_t strides[] = {1, 20, 60, 61, 80};
    for (int i = 0; i < 5; i++) {
        product p = random_product(24, 60, 29, format);
        random_numbers random = {3};
        p.x_stride = strides[i];
        p.x = uniform(&random, 28 * p.x_stride + 60, 0, 1);
        check_and_free(p);
    }
}

// The largest int8 sums, at which 16-bit instructions saturate; and rows of zeros.
static void extremes(steno_format format) {
    const float values[][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {0, 1}, {1, 0}};
    for (int i = 0; i < 6; i++) {
        product p = random_product(33, 1024, 13, format);
        for (int64_t k = 0; k < 13 * 1024; k++) p.x[k] = values[i][0];
        for (int64_t k = 0; k < 33 * 1024; k++) p.weights[k] = values[i][1];
        check_and_free(p);
    }
}

// Integers within the scale are exact, and ties are rounded to even.
static void halves_to_even(void) {
    enum { ROWS = 5, INPUTS = 7 };
    const float x[ROWS][INPUTS] = {{127, 0.5f}, {127, 1.5f}, {127, 0, 2.5f},
        {-127, 0, 0, 0, 0, 0, -3.5f}, {127, 0.501f, 0.499f}};
    const float expected[ROWS] = {16129, 16131, 16131, -16133, 16130};
    product p = random_product(1, INPUTS, ROWS, STENO_INT8);
    memcpy(p.x, x, sizeof(x));
    for (int k = 0; k < INPUTS; k++) p.weights[k] = k == 0 ? 127 : 1;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        const float *y = multiplied(&p, NULL);
        for (int i = 0; i < ROWS; i++) {
            compare(&bytes, t, y[i], expected[i], (definition){expected[i], 1e-30}, "halves to even");
        }
    }
    free_numbers();
}

static void no_rows(void) {
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        for (steno_format format = STENO_FLOAT32; format <= STENO_INT8; format++) {
            const product p = random_product(8, 8, 0, format);
            multiplied(&p, NULL); // room for nothing: a fault is the failure
        }
        free_numbers();
    }
}

// As in the residual stream, the result is added to the rows it is written to.
static void residual_in_place(steno_format format) {
    product p = random_product(40, 40, 15, format);
    random_numbers random = {5};
    p.residual = uniform(&random, 15 * 40, 0, 4);
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        steno_matrix *matrix = steno_matrix_create(40, 40, format);
        if (!matrix) abort();
        steno_matrix_set_float(matrix, 0, 40, p.weights);
        float *y = blanks(15 * 40);
        memcpy(y, p.residual, 15 * 40 * sizeof(float));
        const steno_product call = {
            .matrix = matrix, .x = p.x, .x_stride = 40, .rows = 15, .residual = y, .residual_stride = 40, .y = y,
            .y_stride = 40, .workspace = room(steno_product_workspace(matrix, 15))};
        steno_multiply(NULL, &call);
        steno_matrix_destroy(matrix);
        expect(same(y, multiplied(&p, NULL), 15 * 40), t, "another result in place", "residual");
    }
    free_numbers();
}

// In int8, a row with a NaN or an infinity gives NaN, and its neighbours are unaffected.
static void damaged_rows(float value) {
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        const int places[] = {0, 15, 66};
        for (int i = 0; i < 6; i++) {
            product p = random_product(35, 67, 3, STENO_INT8);
            if (i % 2) p.activation = STENO_GELU;
            const float *expected = multiplied(&p, NULL);
            p.x[67 + places[i / 2]] = value;
            const float *y = multiplied(&p, NULL);
            for (int n = 0; n < 35; n++) expect(isnan(y[35 + n]), t, "not NaN", "a damaged row");
            expect(same(y, expected, 35) && same(y + 70, expected + 70, 35), t, "it differs", "beside a damaged row");
            free_numbers();
        }
    }
}

// Each output equals its bias, so the result is the activation alone; in whole panels and in a partial one.
static void activations(steno_format format) {
    enum { COUNT = 67 };
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        product p = random_product(COUNT, 1, 1, format);
        p.bias = blanks(COUNT);
        for (int i = 0; i < COUNT; i++) {
            p.weights[i] = 0;
            p.bias[i] = i == 0 ? -1e30f : i == COUNT - 1 ? NAN : (float)(i - 33) * 3.1f;
        }
        p.activation = STENO_SILU;
        const float *silu = multiplied(&p, NULL);
        p.activation = STENO_RELU;
        const float *relu = multiplied(&p, NULL);
        expect(isnan(silu[COUNT - 1]) && isnan(relu[COUNT - 1]), t, "not NaN", "activations");
        for (int i = 0; i < COUNT - 1; i++) {
            const double x = p.bias[i], expected = x / (1 + exp(-x));
            expect(relu[i] == fmaxf(p.bias[i], 0), t, "not max(x, 0)", "activations");
            expect(fabs(silu[i] - expected) <= 3e-7 * fabs(expected) + 1e-7, t, "not x / (1 + e^-x)", "activations");
        }
        free_numbers();
    }
}

void test_products(void) {
    for (steno_format format = STENO_FLOAT32; format <= STENO_INT8; format++) {
        shapes(format);
        epilogues(format);
        overlapping_rows(format);
        extremes(format);
        residual_in_place(format);
        activations(format);
    }
    damaged_rows(NAN);
    damaged_rows(INFINITY);
    halves_to_even();
    no_rows();
    report(&floats);
    report(&bytes);
}
