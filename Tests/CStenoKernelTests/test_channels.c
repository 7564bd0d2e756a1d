#include "tests.h"

#include <math.h>

static operation scales = {.name = "scaled channels"};
static operation maxima = {.name = "max pool", .same_bits = true};
static operation sums = {.name = "channel sums"};

static void check_scale(int32_t width, float slope) {
    enum { ROWS = 5 };
    random_numbers random = {(uint64_t)width};
    const int64_t stride = width + 3;
    const float *scale = uniform(&random, width, 0, 2), *shift = uniform(&random, width, 0, 1);
    const float *x = uniform(&random, ROWS * stride, 0, 3), *portable = NULL;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(ROWS * stride);
        steno_scale_channels(NULL, x, stride, ROWS, width, scale, shift, slope, y, stride);
        if (t == 0) portable = y;
        for (int32_t row = 0; row < ROWS; row++) {
            for (int32_t i = 0; i < width; i++) {
                const int64_t at = row * stride + i;
                const double value = (double)x[at] * scale[i] + shift[i];
                const definition expected = {value > 0 ? value : value * slope, 2e-6};
                compare(&scales, t, y[at], portable[at], expected, text("width %d", width));
            }
            expect(isnan(y[row * stride + width]), t, "wrote beyond a row's end", "scaled channels");
        }
    }
    free_numbers();
}

static void check_pool(int32_t width, int32_t step, bool magnitudes) {
    enum { ROWS = 4 };
    random_numbers random = {(uint64_t)width};
    const int64_t stride = width + 2;
    const float *x = uniform(&random, ROWS * step * stride, 0, 1);
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(ROWS * stride);
        steno_max_pool(NULL, x, stride, ROWS, width, step, magnitudes, y, stride);
        for (int32_t row = 0; row < ROWS; row++) {
            for (int32_t i = 0; i < width; i++) {
                float most = -INFINITY;
                for (int32_t k = 0; k < step; k++) {
                    const float value = x[(row * step + k) * stride + i];
                    most = fmaxf(most, magnitudes ? fabsf(value) : value);
                }
                compare(&maxima, t, y[row * stride + i], most, (definition){most, 1e-30}, text("width %d", width));
            }
            expect(isnan(y[row * stride + width]), t, "wrote beyond a row's end", "max pool");
        }
    }
    free_numbers();
}

// Many rows of numbers far from zero, which a single running sum would round away.
static void check_sums(int32_t width, int32_t rows) {
    random_numbers random = {(uint64_t)(width + rows)};
    const int64_t stride = width + 1;
    const float *x = uniform(&random, rows * stride, 2, 1), *centre = uniform(&random, width, 2, 0.1);
    const float *portable = NULL;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(2 * width);
        steno_channel_sums(x, stride, rows, width, y);
        steno_channel_squares(x, stride, rows, width, centre, y + width);
        if (t == 0) portable = y;
        for (int32_t i = 0; i < width; i++) {
            double sum = 0, squares = 0;
            for (int32_t row = 0; row < rows; row++) {
                const double value = x[row * stride + i];
                sum += value;
                squares += (value - centre[i]) * (value - centre[i]);
            }
            const char *where = text("%d rows of %d", rows, width);
            compare(&sums, t, y[i], portable[i], (definition){sum, 1e-6 * sum + 1e-30}, where);
            compare(&sums, t, y[width + i], portable[width + i], (definition){squares, 2e-6 * squares + 1e-30}, where);
        }
    }
    free_numbers();
}

void test_channels(void) {
    const int32_t widths[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 60, 64, 80, 100, 128}, steps[] = {1, 2, 3, 7};
    for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
        check_scale(widths[i], 0);
        check_scale(widths[i], 0.01f);
        check_scale(widths[i], 1);
        for (int k = 0; k < 8; k++) check_pool(widths[i], steps[k / 2], k % 2);
        check_sums(widths[i], 37);
    }
    check_sums(80, 5325);
    check_sums(3, 5325);
    check_sums(3, 0);
    report(&scales);
    report(&maxima);
    report(&sums);
}
