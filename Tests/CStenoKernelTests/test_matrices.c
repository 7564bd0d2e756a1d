// Packed numbers can be read back unchanged, and int8 may have any value.
#include "tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static operation rows = {.name = "packed rows", .same_bits = true};
static operation any_bytes = {.name = "products of any bytes", .same_bits = true};

// All rows of a matrix.
static float *stored(const steno_matrix *matrix, int32_t outputs, int32_t inputs) {
    float *out = blanks((int64_t)outputs * inputs);
    for (int32_t n = 0; n < outputs; n++) steno_matrix_get_row(matrix, n, out + (int64_t)n * inputs);
    return out;
}

static void check_rows(int32_t outputs, int32_t inputs, steno_format format) {
    random_numbers random = {(uint64_t)(outputs + 100 * inputs)};
    const float *weights = uniform(&random, (int64_t)outputs * inputs, 0, 1);
    float *portable = NULL;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        steno_matrix *matrix = steno_matrix_create(outputs, inputs, format);
        if (!matrix) abort();
        steno_matrix_set_float(matrix, 0, outputs, weights);
        float *out = stored(matrix, outputs, inputs);
        steno_matrix_destroy(matrix);
        if (t == 0) portable = out;
        for (int32_t i = 0; i < outputs * inputs; i++) {
            const definition kept = {weights[i], format == STENO_INT8 ? 0.5 / 127 + 1e-6 : 1e-30};
            compare(&rows, t, out[i], portable[i], kept, format == STENO_INT8 ? "int8" : "float32");
        }
    }
    free_numbers();
}

// int8 as files may contain it, −128 included, against the largest activations: sums of integers are exact.
//
// AVX2 adds four products in 16 bits where they fit, and stores a tile of eight rows in another way if no activation is
// below −22: these weights and activations are at those limits and just beyond.
static void check_any_bytes(int32_t inputs, int32_t count) {
    enum { PATTERNS = 17, OUTPUTS = 43 };
    static const int8_t patterns[PATTERNS][8] = {
        {127, 127, 127, 127, 127, 127, 127, 127}, {-128, -128, -128, -128, -128, -128, -128, -128},
        {127, -128, 127, -128, 127, -128, 127, -128}, {-128, -128, 127, 127, -128, -128, 127, 127},
        {64, 64, 64, 64, 64, 64, 64, 64}, {-64, -64, -64, -64, -64, -64, -64, -64},
        {64, -64, 64, -65, 64, -64, 64, -65}, {65, 64, 64, 64, 65, 64, 64, 64}, {-64, -64, -64, -64, -65, -64, -64, -64},
        {127, 1, 0, 0, 127, 1, 0, 0}, {-128, -128, 0, 0, -1, 0, 0, 0}, {109, 110}, {110, 110},
        {55, 55, 0, 0, 55, 54}, {-55, -55, 0, 0, -55, -54}, {-55, -55, 0, 0, -55, -55}, {127, -128, 0, 0, 92, -91}};
    random_numbers random = {(uint64_t)count};
    int8_t *weights = room((int64_t)OUTPUTS * inputs);
    for (int32_t i = 0; i < OUTPUTS * inputs; i++) {
        const int32_t n = i / inputs, k = i % inputs;
        weights[i] = n < PATTERNS ? patterns[n][k % 8] : (int8_t)next_number(&random);
    }
    float *x = room((int64_t)count * inputs * 4), scales[OUTPUTS], *portable = NULL;
    for (int32_t n = 0; n < OUTPUTS; n++) scales[n] = 1;
    // Each row's largest magnitude is 127, so that activations are quantised to themselves.
    for (int32_t i = 0; i < count * inputs; i++) {
        const int32_t row = i / inputs, lowest = row < 8 ? -127 : row / 8 == 2 && row % 8 == 3 ? -23 : -22;
        const uint64_t number = next_number(&random);
        const int32_t choices[] = {127, lowest, number & 1 ? 127 : lowest, lowest + (int32_t)(number % (uint64_t)(128 - lowest))};
        x[i] = (float)(i % inputs == 0 ? 127 : choices[row % 4]);
    }
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        steno_matrix *matrix = steno_matrix_create(OUTPUTS, inputs, STENO_INT8);
        if (!matrix) abort();
        steno_matrix_set_int8(matrix, 0, OUTPUTS, weights, scales);
        float *y = blanks(count * OUTPUTS);
        const steno_product call = {.matrix = matrix, .x = x, .x_stride = inputs, .rows = count, .y = y,
            .y_stride = OUTPUTS, .workspace = room(steno_product_workspace(matrix, count))};
        steno_multiply(NULL, &call);
        steno_matrix_destroy(matrix);
        if (t == 0) portable = y;
        for (int32_t i = 0; i < count * OUTPUTS; i++) {
            double sum = 0;
            for (int32_t k = 0; k < inputs; k++) {
                sum += (double)x[i / OUTPUTS * inputs + k] * weights[i % OUTPUTS * inputs + k];
            }
            compare(&any_bytes, t, y[i], portable[i], (definition){sum, 1e-30}, text("%d rows", count));
        }
    }
    free_numbers();
}

static bool all_are(const float *values, int64_t count, float value) {
    for (int64_t i = 0; i < count; i++) if (values[i] != value) return false;
    return true;
}

// Sizes that overflow or exceed any machine's memory, and invalid shapes.
static void impossible(int t) {
    const int32_t shapes[][2] = {
        {INT32_MAX, INT32_MAX}, {INT32_MAX - 64, INT32_MAX - 64}, {1 << 30, 1 << 30}, {0, 5}, {5, -1}};
    for (int i = 0; i < 10; i++) {
        const bool none = steno_matrix_create(shapes[i / 2][0], shapes[i / 2][1], (steno_format)(i % 2)) == NULL;
        expect(none, t, "an impossible matrix", text("%d x %d", shapes[i / 2][0], shapes[i / 2][1]));
    }
    expect(steno_matrix_create(5, 5, STENO_BFLOAT16) == NULL, t, "a matrix", "bfloat16");
}

// New matrices are zeros and of the expected size, whole or filled in parts that begin at a panel, and int8 rows are
// divided by their scales in both formats.
static void contents(int t, steno_format format) {
    enum { INPUTS = 63, MOST = 65 };
    random_numbers random = {3};
    const float *values = uniform(&random, MOST * INPUTS, 0, 1), *scales = uniform(&random, MOST, 100, 90);
    steno_matrix *whole = steno_matrix_create(MOST, INPUTS, format), *parts = steno_matrix_create(MOST, INPUTS, format);
    steno_matrix *large = steno_matrix_create(256, 256, format);
    if (!whole || !parts || !large) abort();
    expect(all_are(stored(whole, MOST, INPUTS), MOST * INPUTS, 0), t, "a new matrix is not zeros", "matrices");
    expect(steno_matrix_bytes(large) == 256 * 256 * (format == STENO_INT8 ? 1 : 4), t, "the size", "matrices");
    const int32_t panel = steno_matrix_panel(whole), starts[] = {panel, 0};
    steno_matrix_set_float(whole, 0, MOST, values);
    for (int i = 0; i < 2; i++) {
        const int32_t count = i == 0 ? MOST - panel : panel;
        steno_matrix_set_float(parts, starts[i], count, values + starts[i] * INPUTS);
    }
    const bool is_same = same(stored(whole, MOST, INPUTS), stored(parts, MOST, INPUTS), MOST * INPUTS);
    expect(is_same, t, "parts differ from the whole", "matrices");
    int8_t bytes[MOST * INPUTS];
    for (int i = 0; i < MOST * INPUTS; i++) bytes[i] = (int8_t)((int)(next_number(&random) % 255) - 127);
    steno_matrix_set_int8(whole, 0, MOST, bytes, scales);
    const float *divided = stored(whole, MOST, INPUTS);
    for (int i = 0; i < MOST * INPUTS; i++) {
        const double expected = bytes[i] * (double)(1 / scales[i / INPUTS]);
        expect(fabs(divided[i] - expected) <= fabs(expected) * 2e-7, t, "not divided by its scale", "int8 rows");
    }
    steno_matrix_destroy(whole);
    steno_matrix_destroy(parts);
    steno_matrix_destroy(large);
    free_numbers();
}

// Rows with a NaN or an infinity are counted and stay so, and setting them again repairs them.
static void damaged_rows(int t, steno_format format, float value, int32_t inputs) {
    const int32_t places[] = {0, inputs / 2, inputs - 1};
    steno_matrix *matrix = steno_matrix_create(40, inputs, format);
    if (!matrix) abort();
    for (int i = 0; i < 3; i++) {
        float *values = room(40 * inputs * (int64_t)sizeof(float)), *ones = room(40 * inputs * (int64_t)sizeof(float));
        for (int32_t k = 0; k < 40 * inputs; k++) {
            values[k] = 0.5f;
            ones[k] = 1;
        }
        values[3 * inputs + places[i]] = values[39 * inputs + places[i]] = value;
        expect(steno_matrix_set_float(matrix, 0, 40, values) == 2, t, "not two damaged rows", "matrices");
        const float *found = stored(matrix, 40, inputs);
        expect(!isfinite(found[3 * inputs + places[i]]), t, "a damaged row is finite", "matrices");
        expect(all_are(found + 4 * inputs, inputs, 0.5f), t, "the row beside a damaged one", "matrices");
        expect(steno_matrix_set_float(matrix, 0, 40, ones) == 0, t, "damaged after repair", "matrices");
        expect(all_are(stored(matrix, 40, inputs), 40 * inputs, 1), t, "not repaired", "matrices");
        free_numbers();
    }
    steno_matrix_destroy(matrix);
}

// For denormal rows 127 / peak overflows; they count as zeros. Scales that are none are counted.
static void smallest_rows_and_scales(int t) {
    const float tiny[] = {1e-45f, 1.2e-40f, 1.17549435e-38f, 3.7e-37f, 3.8e-37f, 4e-37f, 1e-36f};
    for (int i = 0; i < 7; i++) {
        steno_matrix *matrix = steno_matrix_create(2, 20, STENO_INT8);
        float *values = room(40 * sizeof(float));
        for (int k = 0; k < 40; k++) values[k] = tiny[i];
        expect(steno_matrix_set_float(matrix, 0, 2, values) == 0, t, "damaged", "the smallest rows");
        const float *found = stored(matrix, 2, 20);
        for (int k = 0; k < 40; k++) {
            expect(fabsf(found[k] - tiny[i]) <= fminf(tiny[i], 4e-37f), t, "not near", "the smallest rows");
        }
        steno_matrix_destroy(matrix);
        free_numbers();
    }
    const int8_t sevens[12] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    const float scales[6] = {1, 0, NAN, INFINITY, 1e-38f, 14};
    for (steno_format format = STENO_FLOAT32; format <= STENO_INT8; format++) {
        steno_matrix *matrix = steno_matrix_create(6, 2, format);
        expect(steno_matrix_set_int8(matrix, 0, 6, sevens, scales) == 4, t, "not four invalid scales", "matrices");
        const float *found = stored(matrix, 6, 2);
        bool right = found[0] == 7 && found[10] == 0.5f;
        for (int i = 2; i < 10; i++) right = right && isnan(found[i]);
        expect(right, t, "rows of invalid scales are not NaN", "matrices");
        steno_matrix_destroy(matrix);
        free_numbers();
    }
}

void test_matrices(void) {
    const int32_t sizes[] = {1, 3, 16, 67};
    const float odd[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        impossible(t);
        smallest_rows_and_scales(t);
        for (steno_format format = STENO_FLOAT32; format <= STENO_INT8; format++) {
            contents(t, format);
            for (int i = 0; i < 16; i++) damaged_rows(t, format, odd[i % 4], sizes[i / 4]);
        }
    }
    for (steno_format format = STENO_FLOAT32; format <= STENO_INT8; format++) {
        for (int32_t outputs = 1; outputs <= 17; outputs += 4) {
            for (int32_t inputs = 1; inputs <= 19; inputs += 3) check_rows(outputs, inputs, format);
        }
    }
    for (int32_t inputs = 1; inputs <= 255; inputs = inputs * 2 + 1) check_any_bytes(inputs, 5);
    const int32_t counts[] = {1, 2, 3, 8, 29};
    for (int i = 0; i < 5; i++) check_any_bytes(603, counts[i]);
    report(&rows);
    report(&any_bytes);
}
