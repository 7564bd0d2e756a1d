#include "tests.h"

#include <math.h>

static operation scales = {.name = "scaled channels"};
static operation pools = {.name = "max pool", .same_bits = true};
static operation sums = {.name = "channel sums"};
static operation squares = {.name = "channel squares"};

static void check_scale(int32_t width, float slope, const bool selected[TABLES]) {
    enum { ROWS = 3 };
    random_numbers random = {(uint64_t)width};
    const int64_t stride = width + 3;
    const float *scale = uniform(&random, width, 0, 2), *shift = uniform(&random, width, 0, 1);
    const float *x = uniform(&random, ROWS * stride, 0, 3), *portable = NULL;
    for (int t = 0; t < TABLES; t++) {
        if (!selected[t]) continue;
        use_table(t);
        float *y = blanks(ROWS * stride);
        steno_scale_channels(NULL, x, stride, ROWS, width, scale, shift, slope, y, stride);
        if (t == 0) portable = y;
        for (int64_t row = 0; row < ROWS; row++) {
            for (int32_t c = 0; c < width; c++) {
                const int64_t at = row * stride + c;
                const double v = (double)x[at] * scale[c] + shift[c];
                compare(&scales, t, y[at], portable[at], (definition){v > 0 ? v : v * slope, 2e-6}, "scale");
            }
            expect(isnan(y[row * stride + width]), t, "wrote beyond a row's end", "scale");
        }
    }
    free_numbers();
}

static void check_pool(int32_t width, int32_t step, bool magnitudes, const bool selected[TABLES]) {
    enum { ROWS = 3 };
    random_numbers random = {(uint64_t)width};
    const int64_t stride = width + 2;
    const float *x = uniform(&random, ROWS * step * stride, 0, 1), *portable = NULL;
    for (int t = 0; t < TABLES; t++) {
        if (!selected[t]) continue;
        use_table(t);
        float *y = blanks(ROWS * stride);
        steno_max_pool(NULL, x, stride, ROWS, width, step, magnitudes, y, stride);
        if (t == 0) portable = y;
        for (int64_t row = 0; row < ROWS; row++) {
            for (int32_t c = 0; c < width; c++) {
                double most = -INFINITY;
                for (int64_t i = 0; i < step; i++) {
                    const double v = x[(row * step + i) * stride + c];
                    most = fmax(most, magnitudes ? fabs(v) : v);
                }
                const int64_t at = row * stride + c;
                compare(&pools, t, y[at], portable[at], (definition){most, 1e-30}, "pool");
            }
            expect(isnan(y[row * stride + width]), t, "wrote beyond a row's end", "pool");
        }
    }
    free_numbers();
}

static void check_sums(int32_t width, int32_t rows, const bool selected[TABLES]) {
    random_numbers random = {(uint64_t)width};
    const int64_t stride = width + 1;
    const float *x = uniform(&random, rows * stride, 2, 1), *centre = uniform(&random, width, 2, 0.1);
    const float *portable_sums = NULL, *portable_squares = NULL;
    for (int t = 0; t < TABLES; t++) {
        if (!selected[t]) continue;
        use_table(t);
        float *s = blanks(width), *q = blanks(width);
        steno_channel_sums(x, stride, rows, width, s);
        steno_channel_squares(x, stride, rows, width, centre, q);
        if (t == 0) {
            portable_sums = s;
            portable_squares = q;
        }
        for (int32_t c = 0; c < width; c++) {
            double sum = 0, square = 0;
            for (int64_t row = 0; row < rows; row++) {
                const double v = x[row * stride + c], distance = v - centre[c];
                sum += v;
                square += distance * distance;
            }
            compare(&sums, t, s[c], portable_sums[c], (definition){sum, 1e-6 * sum}, "sums");
            compare(&squares, t, q[c], portable_squares[c], (definition){square, 2e-6 * square}, "squares");
        }
    }
    free_numbers();
}

void test_channels(const bool selected[TABLES]) {
    const int32_t widths[] = {1, 3, 4, 5, 7, 8, 15, 16, 17, 33, 60, 80, 128};
    for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
        check_scale(widths[i], 0, selected);
        check_scale(widths[i], 0.01f, selected);
        check_scale(widths[i], 1, selected);
        check_pool(widths[i], 3, false, selected);
        check_pool(widths[i], 3, true, selected);
        check_sums(widths[i], 37, selected);
    }
    check_sums(80, 5325, selected);
    report(&scales, selected);
    report(&pools, selected);
    report(&sums, selected);
    report(&squares, selected);
}
