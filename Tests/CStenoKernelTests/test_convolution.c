#include "tests.h"

#include <math.h>
#include <string.h>

static operation depthwise = {.name = "depthwise convolution"};
static operation image = {.name = "image convolution"};
static operation gates = {.name = "gates"};
static operation silus = {.name = "silu"};

static double sigmoid_of(double x) { return 1 / (1 + exp(-x)); }

static void check_depthwise(int32_t rows, int32_t channels, int32_t taps, bool silu) {
    random_numbers random = {(uint64_t)(channels * 31 + taps)};
    const float *weights = uniform(&random, taps * channels, 0, 1), *bias = uniform(&random, channels, 0, 1);
    const float *x = uniform(&random, (rows + taps - 1) * channels, 0.2f, 2), *portable = NULL;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(rows * channels);
        const steno_depthwise call = {
            x, channels, rows, channels, taps, weights, bias, silu ? STENO_SILU : STENO_IDENTITY, y, channels};
        steno_convolve_depthwise(NULL, &call);
        if (t == 0) portable = y;
        for (int32_t i = 0; i < rows * channels; i++) {
            double sum = bias[i % channels];
            for (int32_t k = 0; k < taps; k++) sum += (double)x[k * channels + i] * weights[k * channels + i % channels];
            const definition expected = {silu ? sum * sigmoid_of(sum) : sum, 1e-5};
            compare(&depthwise, t, y[i], portable[i], expected, text("%d taps of %d channels", taps, channels));
        }
    }
    free_numbers();
}

static void check_image(int32_t rows, int32_t bands, int32_t channels, int32_t padding) {
    random_numbers random = {(uint64_t)(bands * 31 + channels)};
    const float *weights = uniform(&random, 9 * channels, 0, 1), *bias = uniform(&random, channels, 0, 1);
    const float *x = uniform(&random, (2 * rows + 1) * bands * channels, 0.2f, 2), *portable = NULL;
    const int32_t out = (bands + padding) / 2;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(rows * out * channels);
        const steno_depthwise_image call = {x, rows, bands, channels, padding, weights, bias, y};
        steno_convolve_image(NULL, &call);
        if (t == 0) portable = y;
        for (int32_t i = 0; i < rows * out * channels; i++) {
            const int32_t row = i / channels / out, band = i / channels % out, channel = i % channels;
            double sum = bias[channel];
            for (int32_t k = 0; k < 9; k++) {
                const int32_t from = 2 * band + k % 3 - padding;
                if (from < 0 || from >= bands) continue;
                sum += (double)x[((2 * row + k / 3) * bands + from) * channels + channel] * weights[k * channels + channel];
            }
            compare(&image, t, y[i], portable[i], (definition){sum, 1e-5}, text("%d bands", bands));
        }
    }
    free_numbers();
}

static void check_gates(int32_t rows, int32_t width) {
    random_numbers random = {(uint64_t)width};
    const float *x = uniform(&random, rows * 2 * width, 0, 20), *portable = NULL, *portable_silu = NULL;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(rows * width), *z = blanks(rows * 2 * width);
        memcpy(z, x, (size_t)(rows * 2 * width) * sizeof(float));
        steno_gate(NULL, x, 2 * width, rows, width, y, width);
        steno_silu(NULL, z, 2 * width, rows, 2 * width);
        if (t == 0) {
            portable = y;
            portable_silu = z;
        }
        for (int32_t i = 0; i < rows * width; i++) {
            const float *from = x + i / width * 2 * width + i % width;
            compare(&gates, t, y[i], portable[i], (definition){from[0] * sigmoid_of(from[width]), 4e-6}, "gates");
        }
        for (int32_t i = 0; i < rows * 2 * width; i++) {
            compare(&silus, t, z[i], portable_silu[i], (definition){x[i] * sigmoid_of(x[i]), 4e-6}, "silu");
        }
    }
    free_numbers();
}

void test_convolution(void) {
    const int32_t channels[] = {1, 3, 4, 5, 16, 33};
    for (size_t i = 0; i < sizeof(channels) / sizeof(*channels); i++) {
        for (int silu = 0; silu < 2; silu++) {
            check_depthwise(20, channels[i], 9, silu);
            check_depthwise(3, channels[i], 2, silu);
        }
        for (int32_t padding = 1; padding <= 2; padding++) {
            check_image(3, 5, channels[i], padding);
            check_image(17, 8, channels[i], padding);
            check_image(1, 1, channels[i], padding);
        }
        check_gates(19, channels[i]);
    }
    check_depthwise(2, 100, 31, true);
    check_depthwise(1, 1, 1, true);
    check_depthwise(0, 8, 3, true);
    check_image(1, 65, 20, 1);
    check_image(0, 4, 4, 2);
    check_gates(3, 100);
    report(&depthwise);
    report(&image);
    report(&gates);
    report(&silus);
}
