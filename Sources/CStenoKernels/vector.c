#include "kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS_A_TASK = 64 };

typedef struct {
    const steno_kernels *kernels;
    const float *x;
    int64_t x_stride;
    int32_t rows, width;
    const float *gamma, *beta;
    float epsilon;
    float *y;
    int64_t y_stride;
} norming;

static void norm_task(void *context, int32_t index) {
    const norming *n = context;
    const int32_t end = (index + 1) * ROWS_A_TASK < n->rows ? (index + 1) * ROWS_A_TASK : n->rows;
    for (int32_t i = index * ROWS_A_TASK; i < end; i++) {
        n->kernels->layer_norm(
            n->x + i * n->x_stride, n->width, n->gamma, n->beta, n->epsilon, n->y + i * n->y_stride);
    }
}

void steno_layer_norm(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, const float *gamma,
    const float *beta, float epsilon, float *y, int64_t y_stride) {
    norming n = {steno_kernels_current(), x, x_stride, rows, width, gamma, beta, epsilon, y, y_stride};
    steno_pool_run(pool, norm_task, &n, (rows + ROWS_A_TASK - 1) / ROWS_A_TASK);
}

/// The bits of the largest magnitude: they sort like the numbers, with infinity and NaN last.
static uint32_t peak_bits(const float *x, int64_t count) {
    uint32_t largest = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof(bits));
        bits &= 0x7FFFFFFF;
        largest = bits > largest ? bits : largest;
    }
    return largest;
}

bool steno_are_finite(const float *x, int64_t count) { return peak_bits(x, count) < 0x7F800000; }

float steno_peak(const float *x, int64_t count) {
    const uint32_t bits = peak_bits(x, count);
    float peak;
    memcpy(&peak, &bits, sizeof(peak));
    return peak;
}

float steno_maximum(const float *x, int64_t count) { return steno_kernels_current()->maximum(x, count); }

float steno_log_sum_exp(const float *x, int64_t count) {
    const float most = steno_maximum(x, count);
    return most + logf(steno_kernels_current()->sum_exp(x, count, most));
}

void steno_log_softmax(float *x, int64_t count) {
    const float total = steno_log_sum_exp(x, count);
    for (int64_t i = 0; i < count; i++) x[i] -= total;
}

void steno_top_k(const float *x, int64_t count, int32_t k, int32_t *indices) {
    // A list sorted by insertion: k is about a dozen, and after the first few values hardly any is inserted, so that
    // most blocks are skipped after comparing their maximum.
    enum { BLOCK = 64 };
    const steno_kernels *kernels = steno_kernels_current();
    int32_t found = 0;
    float least = -INFINITY;
    for (int64_t start = 0; start < count; start += BLOCK) {
        const int64_t end = start + BLOCK < count ? start + BLOCK : count;
        if (found == k && !(kernels->maximum(x + start, end - start) > least)) continue;
        for (int64_t i = start; i < end; i++) {
            if (found == k && !(x[i] > least)) continue;
            int32_t at = found < k ? found++ : k - 1;
            while (at > 0 && x[i] > x[indices[at - 1]]) {
                indices[at] = indices[at - 1];
                at--;
            }
            indices[at] = (int32_t)i;
            least = x[indices[found - 1]];
        }
    }
}

void steno_lstm_step(
    const float *gates, int64_t gates_stride, int32_t rows, int32_t width, float *cell, float *hidden) {
    const steno_kernels *kernels = steno_kernels_current();
    for (int64_t row = 0; row < rows; row++) {
        kernels->lstm_step(gates + row * gates_stride, width, cell + row * width, hidden + row * width);
    }
}

void steno_widen_float16(const void *bits, int64_t count, float *values) {
    steno_kernels_current()->widen_float16(bits, count, values);
}

void steno_widen_bfloat16(const void *bits, int64_t count, float *values) {
    for (int64_t i = 0; i < count; i++) {
        uint16_t half;
        memcpy(&half, (const char *)bits + i * 2, 2);
        const uint32_t word = (uint32_t)half << 16;
        memcpy(values + i, &word, 4);
    }
}

void steno_narrow_bfloat16(const float *values, int64_t count, uint16_t *halves) {
    for (int64_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, values + i, 4);
        const uint32_t rounded = (word + 0x7FFF + (word >> 16 & 1)) >> 16;
        // Rounding could carry a NaN's fraction into its sign.
        halves[i] = (uint16_t)((word & 0x7FFFFFFF) > 0x7F800000 ? word >> 16 | 0x40 : rounded);
    }
}
