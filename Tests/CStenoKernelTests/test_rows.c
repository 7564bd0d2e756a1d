#include "tests.h"

#include <math.h>
#include <string.h>

static operation rotations = {.name = "rotation"};
static operation gates = {.name = "gate"};
static operation group_norms = {.name = "group norm"};
static operation tangents = {.name = "tanh"};
static operation cells = {.name = "LSTM step"};

static void check_rotation(int32_t width, int32_t rotated, int32_t padded) {
    enum { ROWS = 5, HEADS = 3 };
    random_numbers random = {(uint64_t)width};
    const float *x = uniform(&random, ROWS * HEADS * width, 0, 2);
    const float *turns = uniform(&random, ROWS * rotated / 2, 0, 4), *portable = NULL;
    float *angles = room(ROWS * 2 * rotated * (int64_t)sizeof(float));
    for (int32_t row = 0; row < ROWS; row++) {
        for (int32_t i = 0; i < rotated; i++) {
            const double turn = turns[row * rotated / 2 + i / 2];
            angles[row * 2 * rotated + i] = (float)cos(turn);
            angles[row * 2 * rotated + rotated + i] = (float)(i % 2 ? sin(turn) : -sin(turn));
        }
    }
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(ROWS * HEADS * padded);
        const steno_rotation call = {
            x, HEADS * width, ROWS, HEADS, width, rotated, angles, y, HEADS * padded, padded};
        steno_rotate(NULL, &call);
        if (t == 0) portable = y;
        for (int32_t i = 0; i < ROWS * HEADS * padded; i++) {
            const int32_t row = i / (HEADS * padded), channel = i % padded;
            const float *head = x + i / padded * width;
            double expected = channel < width ? head[channel] : 0;
            if (channel < rotated) {
                const double turn = turns[row * rotated / 2 + channel / 2];
                const double a = head[channel / 2 * 2], b = head[channel / 2 * 2 + 1];
                expected = channel % 2 ? b * cos(turn) + a * sin(turn) : a * cos(turn) - b * sin(turn);
            }
            compare(&rotations, t, y[i], portable[i], (definition){expected, 1e-6}, text("width %d", width));
        }
    }
    free_numbers();
}

static void check_gate(int32_t width) {
    enum { ROWS = 3 };
    random_numbers random = {(uint64_t)width};
    const float *x = uniform(&random, ROWS * 2 * width, 0, 20), *portable = NULL;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(ROWS * width);
        steno_gate_silu(NULL, x, 2 * width, ROWS, width, y, width);
        if (t == 0) portable = y;
        for (int32_t i = 0; i < ROWS * width; i++) {
            const double value = x[i / width * 2 * width + i % width], gate = x[i / width * 2 * width + width + i % width];
            const double expected = value * gate / (1 + exp(-gate));
            const definition d = {expected, 4e-7 * fabs(expected) + 1e-7};
            compare(&gates, t, y[i], portable[i], d, text("width %d", width));
        }
    }
    free_numbers();
}

// Mean and variance of all rows, also where the mean is large; the rows are a little apart.
static void check_group_norm(int32_t rows, int32_t width, float centre) {
    random_numbers random = {(uint64_t)width};
    const int32_t stride = width + 3;
    const float *gamma = uniform(&random, width, 1, 0.5), *beta = uniform(&random, width, 0, 1);
    const float *x = uniform(&random, rows * stride, centre, 3), *portable = NULL;
    const double count = (double)rows * width;
    double mean = 0, variance = 0;
    for (int32_t i = 0; i < rows * stride; i++) if (i % stride < width) mean += x[i] / count;
    for (int32_t i = 0; i < rows * stride; i++) {
        if (i % stride < width) variance += (x[i] - mean) * (x[i] - mean) / count;
    }
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(rows * stride);
        steno_group_norm(NULL, x, stride, rows, width, gamma, beta, 1e-5f, y, stride);
        if (t == 0) portable = y;
        for (int32_t i = 0; i < rows * stride; i++) {
            const int32_t column = i % stride;
            if (column >= width) {
                expect(isnan(y[i]), t, "wrote beyond a row's end", "group norm");
                continue;
            }
            const double expected = (x[i] - mean) / sqrt(variance + 1e-5) * gamma[column] + beta[column];
            const definition d = {expected, centre > 100 ? 2e-4 : 1e-5};
            compare(&group_norms, t, y[i], portable[i], d, text("%d rows", rows));
        }
    }
    free_numbers();
}

// tanh as the activation of a product whose outputs are its biases. Close to zero the relative error matters: quiet audio
// gives only such values.
static void check_tanh(void) {
    enum { COUNT = 404 };
    float *x = room(COUNT * sizeof(float));
    for (int i = 0; i < 401; i++) x[i] = (float)(i % 2 ? (i - 200) / 20.0 : pow(10, (i - 300) / 10.0) * (i % 4 ? 1 : -1));
    x[401] = INFINITY;
    x[402] = -INFINITY;
    x[403] = NAN;
    const float one = 1, *portable = NULL;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(COUNT);
        steno_matrix *matrix = steno_matrix_create(COUNT, 1, STENO_FLOAT32);
        const steno_product product = {
            .matrix = matrix, .x = &one, .x_stride = 1, .rows = 1, .bias = x, .activation = STENO_TANH, .y = y,
            .y_stride = COUNT};
        steno_multiply(NULL, &product);
        steno_matrix_destroy(matrix);
        if (t == 0) portable = y;
        expect(isnan(y[403]), t, "not NaN", "tanh");
        for (int i = 0; i < 403; i++) {
            const double expected = tanh(x[i]);
            // Subnormal numbers have fewer digits.
            const definition d = {expected, 3e-7 * fabs(expected) + 1e-44};
            compare(&tangents, t, y[i], portable[i], d, text("%g", (double)x[i]));
        }
    }
    free_numbers();
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static void check_lstm(int32_t width) {
    enum { ROWS = 3 };
    random_numbers random = {(uint64_t)width};
    const int64_t stride = 4 * width + 3;
    const float *inputs = uniform(&random, ROWS * stride, 0, 6), *before = uniform(&random, ROWS * width, 0, 2);
    const float *portable_cell = NULL, *portable_hidden = NULL;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *cell = blanks(ROWS * width), *hidden = blanks(ROWS * width);
        memcpy(cell, before, (size_t)(ROWS * width) * sizeof(float));
        steno_lstm_step(inputs, stride, ROWS, width, cell, hidden);
        if (t == 0) {
            portable_cell = cell;
            portable_hidden = hidden;
        }
        for (int32_t i = 0; i < ROWS * width; i++) {
            const float *gate = inputs + i / width * stride + i % width;
            const double value = sigmoid(gate[width]) * before[i] + sigmoid(gate[0]) * tanh(gate[2 * width]);
            const double shown = sigmoid(gate[3 * width]) * tanh(value);
            compare(&cells, t, cell[i], portable_cell[i], (definition){value, 2e-6}, text("%d cells", width));
            compare(&cells, t, hidden[i], portable_hidden[i], (definition){shown, 2e-6}, text("%d cells", width));
        }
    }
    free_numbers();
}

void test_rows(void) {
    const int32_t widths[][3] = {{36, 32, 48}, {52, 32, 64}, {40, 32, 48}, {24, 12, 32}, {24, 0, 32}, {64, 64, 64}, {2, 2, 16},
        {17, 10, 32}};
    for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
        check_rotation(widths[i][0], widths[i][1], widths[i][2]);
    }
    const int32_t units[] = {1, 3, 4, 7, 8, 16, 17, 33, 100};
    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) check_gate(units[i]);
    check_group_norm(1, 1, 0);
    check_group_norm(1, 40, 0);
    check_group_norm(3, 17, 1);
    check_group_norm(70, 72, 0);
    check_group_norm(200, 33, 500);
    check_tanh();
    for (int32_t width = 16; width <= 256; width *= 2) check_lstm(width);
    report(&rotations);
    report(&gates);
    report(&group_norms);
    report(&tangents);
    report(&cells);
}
