#include "tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static operation norms = {.name = "layer norm"};
static operation maxima = {.name = "maximum", .same_bits = true};
static operation sums = {.name = "log sum exp"};
static operation softmax = {.name = "log softmax"};
static operation halves = {.name = "float16", .same_bits = true};

static void check_norm(int32_t width, float centre, double allowed) {
    enum { ROWS = 5 };
    random_numbers random = {(uint64_t)width};
    const int64_t stride = width + 3;
    const float *gamma = uniform(&random, width, 1, 0.5), *beta = uniform(&random, width, 0, 1);
    const float *x = uniform(&random, ROWS * stride, centre, 3), *portable = NULL;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *y = blanks(ROWS * stride);
        steno_layer_norm(NULL, x, stride, 0, width, gamma, beta, 1e-5f, y, stride);
        expect(isnan(y[0]), t, "no rows wrote something", "layer norm");
        steno_layer_norm(NULL, x, stride, ROWS, width, gamma, beta, 1e-5f, y, stride);
        if (t == 0) portable = y;
        for (int32_t row = 0; row < ROWS; row++) {
            const float *from = x + row * stride;
            double mean = 0, variance = 0;
            for (int32_t i = 0; i < width; i++) mean += from[i] / (double)width;
            for (int32_t i = 0; i < width; i++) variance += (from[i] - mean) * (from[i] - mean) / width;
            for (int32_t i = 0; i < width; i++) {
                const definition expected = {(from[i] - mean) / sqrt(variance + 1e-5) * gamma[i] + beta[i], allowed};
                const int64_t at = row * stride + i;
                compare(&norms, t, y[at], portable[at], expected, "layer norm");
            }
            expect(isnan(y[row * stride + width]), t, "wrote beyond a row's end", "layer norm");
        }
    }
    free_numbers();
}

static void check_reductions(int32_t count, float centre, double span) {
    random_numbers random = {(uint64_t)count};
    const float *x = uniform(&random, count, centre, span), *portable = NULL;
    double most = x[0], total = 0;
    for (int32_t i = 1; i < count; i++) most = fmax(most, x[i]);
    for (int32_t i = 0; i < count; i++) total += exp(x[i] - most);
    const double lse = most + log(total), near = 2e-6 * fmax(1, fabs(lse)) + 2e-6;
    const char *where = text("%d values around %g", count, (double)centre);
    float first_most = 0, first_lse = 0;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        const float got_most = steno_maximum(x, count), got_lse = steno_log_sum_exp(x, count);
        float *logits = blanks(count);
        memcpy(logits, x, (size_t)count * sizeof(float));
        steno_log_softmax(logits, count);
        if (t == 0) {
            first_most = got_most;
            first_lse = got_lse;
            portable = logits;
        }
        compare(&maxima, t, got_most, first_most, (definition){most, 1e-30}, where);
        compare(&sums, t, got_lse, first_lse, (definition){lse, near}, where);
        for (int32_t i = 0; i < count; i += 1 + count / 97) {
            compare(&softmax, t, logits[i], portable[i], (definition){x[i] - lse, 2 * near}, where);
        }
    }
    free_numbers();
}

// The largest value at every index, and suppressed tokens, which have no weight.
static void check_places(void) {
    enum { COUNT = 67 };
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        for (int place = 0; place < COUNT; place++) {
            float *x = room(COUNT * sizeof(float));
            for (int i = 0; i < COUNT; i++) x[i] = i == place ? 2.5f : -1e30f;
            compare(&maxima, t, steno_maximum(x, COUNT), 2.5f, (definition){2.5, 1e-30}, "one large value");
            compare(&sums, t, steno_log_sum_exp(x, COUNT), 2.5f, (definition){2.5, 1e-30}, "one large value");
            int32_t top[3] = {-1, -1, -1};
            steno_top_k(x, COUNT, 3, top);
            const bool right = top[0] == place && top[1] == (place == 0) && top[2] == (place <= 1 ? 2 : 1);
            expect(right, t, "not the largest, then the first of the others", "top k");
            free_numbers();
        }
    }
}

static double half(uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double sign = bits >> 15 ? -1 : 1;
    if (exponent == 0) return sign * ldexp(fraction, -24);
    if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
    return sign * ldexp(1 + fraction / 1024.0, exponent - 15);
}

// Every 16-bit number, at odd addresses too, as tensors in files can be.
static void check_halves(void) {
    enum { ALL = 65536 };
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        for (int start = 0; start < 2; start++) {
            char *bytes = room(start + ALL * 2);
            for (int i = 0; i < ALL; i++) memcpy(bytes + start + 2 * i, &(uint16_t){(uint16_t)i}, 2);
            float *values = blanks(ALL), *brain = blanks(ALL);
            steno_widen_float16(bytes + start, 0, values);
            steno_widen_float16(bytes + start, ALL, values);
            steno_widen_bfloat16(bytes + start, ALL, brain);
            for (int i = 0; i < ALL; i++) {
                const double expected = half((uint16_t)i);
                const uint32_t word = (uint32_t)i << 16;
                expect(memcmp(&word, brain + i, 4) == 0, t, "not the upper half of a float", "bfloat16");
                if (isfinite(expected)) {
                    compare(&halves, t, values[i], (float)expected, (definition){expected, 1e-30}, "float16");
                } else {
                    const bool right = isnan(expected) ? isnan(values[i]) : values[i] == (float)expected;
                    expect(right, t, "infinity or NaN came out as something else", "float16");
                }
            }
            free_numbers();
        }
    }
}

void test_vectors(void) {
    const int32_t widths[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 64, 100, 384};
    for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) check_norm(widths[i], 1, 1e-5);
    check_norm(256, 1000, 5e-4); // a large mean does not drown the differences
    for (int32_t count = 1; count <= 40; count++) {
        check_reductions(count, 0, 1);
        check_reductions(count, -10000, 100);
    }
    check_reductions(1501, 10000, 10);
    check_reductions(51865, 0, 30);
    check_places();
    check_halves();
    report(&norms);
    report(&maxima);
    report(&sums);
    report(&softmax);
    report(&halves);
}
