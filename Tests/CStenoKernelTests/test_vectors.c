#include "tests.h"

#include <float.h>
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

// Without differences there is only beta.
static void check_equal_values(void) {
    float x[64], beta[64], y[64];
    for (int i = 0; i < 64; i++) {
        x[i] = 3;
        beta[i] = (float)i;
    }
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        steno_layer_norm(NULL, x, 64, 1, 64, beta, beta, 1e-5f, y, 64);
        expect(same(y, beta, 64), t, "not beta", "layer norm of equal values");
    }
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
            for (int i = 0; i < COUNT; i++) x[i] = i == place ? 2.5f : -FLT_MAX;
            compare(&maxima, t, steno_maximum(x, COUNT), 2.5f, (definition){2.5, 1e-30}, "one large value");
            compare(&sums, t, steno_log_sum_exp(x, COUNT), 2.5f, (definition){2.5, 1e-30}, "one large value");
            x[place] = -FLT_MAX;
            expect(isfinite(steno_log_sum_exp(x, COUNT)), t, "not finite", "log sum exp of suppressed tokens");
            free_numbers();
        }
    }
}

// Whether the chosen are the largest, the lowest index first among equals.
static void check_top(const float *x, int32_t count, int32_t k) {
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        int32_t top[k];
        steno_top_k(x, count, k, top);
        for (int32_t i = 0; i < k; i++) {
            int32_t before = 0;
            for (int32_t n = 0; n < count; n++) before += x[n] > x[top[i]] || (x[n] == x[top[i]] && n < top[i]);
            expect(before == i, t, text("number %d is not in its place", i), "top k");
        }
    }
}

// With few different values, nearly every choice is a tie.
static void check_ties(void) {
    random_numbers random = {4};
    for (int round = 0; round < 300; round++) {
        const int32_t count = 1 + (int32_t)(next_number(&random) % 60);
        float *x = room(count * (int64_t)sizeof(float));
        for (int32_t i = 0; i < count; i++) x[i] = (float)(next_number(&random) % 6);
        if (round % 10 == 0) x[0] = -FLT_MAX;
        if (round % 10 == 1) x[count / 2] = -INFINITY;
        check_top(x, count, 1 + (int32_t)(next_number(&random) % (uint64_t)count));
        free_numbers();
    }
    check_top(uniform(&random, 51865, 0, 1), 51865, 10);
    free_numbers();
}

// Weights that are not finite must not give indices outside the vocabulary.
static void check_top_of_nans(void) {
    random_numbers random = {6};
    for (int round = 0; round < 100; round++) {
        float *x = uniform(&random, 20, 0.5f, 0.5);
        for (int i = 0; i < 20; i++) if (next_number(&random) & 1) x[i] = NAN;
        for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
            int32_t top[8];
            uint32_t seen = 0;
            steno_top_k(x, 20, 8, top);
            for (int i = 0; i < 8; i++) if (top[i] >= 0 && top[i] < 20) seen |= 1u << top[i];
            expect(__builtin_popcount(seen) == 8, t, "not eight different indices", "top k of NaNs");
        }
        free_numbers();
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
    for (int32_t count = 1; count <= 70; count++) {
        check_reductions(count, 0, 1);
        check_reductions(count, -10000, 100);
    }
    check_reductions(1501, 10000, 10);
    check_reductions(51865, 0, 30);
    check_equal_values();
    check_places();
    check_ties();
    check_top_of_nans();
    check_halves();
    report(&norms);
    report(&maxima);
    report(&sums);
    report(&softmax);
    report(&halves);
}
