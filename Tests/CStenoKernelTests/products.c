#include "products.h"

#include <math.h>
#include <stdlib.h>

product random_product(int32_t outputs, int32_t inputs, int32_t rows, steno_format format) {
    random_numbers random = {(uint64_t)(outputs * 1000003 + inputs * 1009 + rows)};
    product p = {.outputs = outputs, .inputs = inputs, .rows = rows, .format = format};
    p.weights = uniform(&random, (int64_t)outputs * inputs, 0, 1);
    p.x = uniform(&random, (int64_t)rows * inputs, 0.1f, 2);
    p.x_stride = inputs;
    p.y_stride = outputs;
    return p;
}

float *multiplied(const product *p, steno_pool *pool) {
    steno_matrix *matrix = steno_matrix_create(p->outputs, p->inputs, p->format);
    if (!matrix) abort();
    steno_matrix_set_float(matrix, 0, p->outputs, p->weights);
    float *y = blanks(p->rows * p->y_stride);
    const steno_product call = {
        .matrix = matrix, .x = p->x, .x_stride = p->x_stride, .rows = p->rows, .bias = p->bias,
        .activation = p->activation, .residual = p->residual, .residual_stride = p->y_stride, .y = y,
        .y_stride = p->y_stride, .workspace = room(steno_product_workspace(matrix, p->rows))};
    steno_multiply(pool, &call);
    steno_matrix_destroy(matrix);
    return y;
}

static double gelu(double x) { return 0.5 * x * (1 + erf(x / sqrt(2))); }

// Rounds to 127 / max, to nearest even; returns the scale.
static float quantized(const float *row, int32_t count, int8_t *bytes) {
    float peak = 0;
    for (int32_t k = 0; k < count; k++) peak = fmaxf(peak, fabsf(row[k]));
    const float scale = peak > 0 ? 127 / peak : 1;
    for (int32_t k = 0; k < count; k++) bytes[k] = (int8_t)rintf(row[k] * scale);
    return scale;
}

// Σ x · w, and the sum of the terms' magnitudes, relative to which rounding errors are measured.
static void sum_floats(const product *p, int32_t row, double *sums, double *magnitudes) {
    const float *x = p->x + row * p->x_stride;
    for (int32_t n = 0; n < p->outputs; n++) {
        const float *w = p->weights + (int64_t)n * p->inputs;
        sums[n] = magnitudes[n] = 0;
        for (int32_t k = 0; k < p->inputs; k++) {
            sums[n] += (double)x[k] * w[k];
            magnitudes[n] += fabs((double)x[k] * w[k]);
        }
    }
}

static void sum_bytes(const product *p, int32_t row, double *sums, double *magnitudes) {
    int8_t x[p->inputs], w[p->inputs];
    const double x_scale = quantized(p->x + row * p->x_stride, p->inputs, x);
    for (int32_t n = 0; n < p->outputs; n++) {
        const double w_scale = quantized(p->weights + (int64_t)n * p->inputs, p->inputs, w);
        int64_t sum = 0;
        for (int32_t k = 0; k < p->inputs; k++) sum += x[k] * w[k];
        sums[n] = (double)sum / (x_scale * w_scale);
        magnitudes[n] = fabs(sums[n]); // the sum is exact, so no error grows with its terms
    }
}

void define_row(const product *p, int32_t row, definition *outputs) {
    double sums[p->outputs], magnitudes[p->outputs];
    if (p->format == STENO_INT8) {
        sum_bytes(p, row, sums, magnitudes);
    } else {
        sum_floats(p, row, sums, magnitudes);
    }
    for (int32_t n = 0; n < p->outputs; n++) {
        const double bias = p->bias ? p->bias[n] : 0;
        const double residual = p->residual ? p->residual[row * p->y_stride + n] : 0;
        const double sum = sums[n] + bias, magnitude = magnitudes[n] + fabs(bias) + fabs(residual);
        outputs[n].value = (p->activation == STENO_GELU ? gelu(sum) : sum) + residual;
        outputs[n].allowed = 4e-7 * magnitude + 1e-9;
        if (p->activation != STENO_GELU) continue;
        // The error function is accurate to 1.5e-7, and multiplied by half of x; in an int8 product GELU is less
        // accurate.
        outputs[n].allowed += p->format == STENO_INT8 ? 2e-4 + 1.6e-5 * magnitude : 2e-7 * magnitude;
    }
}
