#include "renamed.h"
#include "../../Sources/CStenoKernels/kernels.h"
#include "include/CStenoKernelsWide.h"

#include <stdlib.h>

static steno_matrix *packed(const wide_product *p) {
    steno_matrix *matrix = steno_matrix_create(p->outputs, p->inputs, p->is_int8 ? STENO_INT8 : STENO_FLOAT32);
    if (matrix) steno_matrix_set_float(matrix, 0, p->outputs, p->weights);
    return matrix;
}

void wide_multiply(const wide_product *p) {
    steno_matrix *matrix = packed(p);
    void *workspace = NULL;
    if (matrix && posix_memalign(&workspace, 64, (size_t)steno_product_workspace(matrix, p->rows) + 64) == 0) {
        const steno_product product = {
            matrix, p->x, p->x_stride, p->rows, p->bias, p->gelu ? STENO_GELU : STENO_IDENTITY,
            p->residual, p->residual_stride, p->y, p->y_stride, workspace};
        steno_multiply(NULL, &product);
    }
    free(workspace);
    steno_matrix_destroy(matrix);
}

void wide_packed_row(const wide_product *p, int32_t row, float *values) {
    steno_matrix *matrix = packed(p);
    if (matrix) steno_matrix_get_row(matrix, row, values);
    steno_matrix_destroy(matrix);
}

void wide_attend(
    bool is_int8, int32_t heads, int32_t head_width, float scale, int32_t positions, const float *keys,
    const float *values, int32_t rows, const float *queries, float *out, float *scores) {
    const int64_t width = (int64_t)heads * head_width;
    steno_memory *memory = steno_memory_create(heads, head_width, positions, is_int8 ? STENO_INT8 : STENO_FLOAT32);
    if (!memory) return;
    steno_memory_set(NULL, memory, keys, values, width, positions);
    const steno_attention attention = {memory, scale, queries, width, rows, out, width};
    steno_attend(NULL, &attention);
    if (scores) steno_attention_scores(&attention, 0, scores, positions);
    steno_memory_destroy(memory);
}

void wide_attend_cached(
    int32_t heads, int32_t head_width, float scale, int32_t rows, const float *queries, const float *keys,
    const float *values, const int32_t *slots, int64_t slots_stride, const int32_t *lengths, float *out) {
    const int64_t width = (int64_t)heads * head_width;
    const steno_cached_attention attention = {
        .queries = queries, .query_stride = width, .rows = rows, .heads = heads, .head_width = head_width,
        .scale = scale, .keys = keys, .values = values, .format = STENO_FLOAT32, .slot_stride = width,
        .head_stride = head_width, .slots = slots, .slots_stride = slots_stride, .lengths = lengths, .out = out,
        .out_stride = width};
    steno_attend_cached(NULL, &attention);
}

void wide_layer_norm(
    const float *x, int64_t stride, int32_t rows, int32_t width, const float *gamma, const float *beta, float epsilon,
    float *y) {
    steno_layer_norm(NULL, x, stride, rows, width, gamma, beta, epsilon, y, stride);
}

void wide_rotate(
    const float *x, int32_t rows, int32_t heads, int32_t head_width, int32_t rotated, const float *angles, float *y,
    int32_t y_head_width) {
    const steno_rotation rotation = {
        x, heads * (int64_t)head_width, rows, heads, head_width, rotated, angles, y, heads * (int64_t)y_head_width,
        y_head_width};
    steno_rotate(NULL, &rotation);
}

void wide_gate_silu(const float *x, int32_t rows, int32_t width, float *y) {
    steno_gate_silu(NULL, x, 2 * (int64_t)width, rows, width, y, width);
}

void wide_group_norm(
    const float *x, int64_t stride, int32_t rows, int32_t width, const float *gamma, const float *beta, float epsilon,
    float *y) {
    steno_group_norm(NULL, x, stride, rows, width, gamma, beta, epsilon, y, stride);
}

void wide_tanh(const float *x, int32_t count, float *y) {
    steno_matrix *matrix = steno_matrix_create(count, 1, STENO_FLOAT32);
    const float zero = 0;
    // Each output equals its bias, so the result is the activation alone.
    const steno_product product = {
        .matrix = matrix, .x = &zero, .x_stride = 1, .rows = 1, .bias = x, .activation = STENO_TANH, .y = y,
        .y_stride = count};
    if (matrix) steno_multiply(NULL, &product);
    steno_matrix_destroy(matrix);
}

void wide_attend_relative(
    const struct wide_relative *shape, const float *queries, const float *keys, const float *values,
    const float *encodings, const float *content_bias, const float *position_bias, const int32_t *first,
    const int32_t *end, float *out) {
    const int64_t width = (int64_t)shape->heads * shape->head_width;
    steno_memory *memory = steno_memory_create(shape->heads, shape->head_width, shape->positions, STENO_FLOAT32);
    steno_matrix *matrix = steno_matrix_create(shape->distances, (int32_t)width, STENO_FLOAT32);
    if (memory && matrix) {
        steno_memory_set(NULL, memory, keys, values, width, shape->positions);
        steno_matrix_set_float(matrix, 0, shape->distances, encodings);
        const steno_relative_attention attention = {
            .memory = memory, .encodings = matrix, .first_distance = shape->first_distance,
            .first_query = shape->first_query, .scale = shape->scale, .content_bias = content_bias,
            .position_bias = position_bias, .queries = queries, .query_stride = width, .rows = shape->rows,
            .first = first, .end = end, .out = out, .out_stride = width};
        steno_attend_relative(NULL, &attention);
    }
    steno_memory_destroy(memory);
    steno_matrix_destroy(matrix);
}

void wide_depthwise(
    int32_t rows, int32_t channels, int32_t taps, const float *x, const float *weights, const float *bias, bool silu,
    float *y) {
    const steno_depthwise convolution = {
        x, channels, rows, channels, taps, weights, bias, silu ? STENO_SILU : STENO_IDENTITY, y, channels};
    steno_convolve_depthwise(NULL, &convolution);
}

void wide_depthwise_image(
    int32_t rows, int32_t bands, int32_t channels, int32_t padding, const float *x, const float *weights,
    const float *bias, float *y) {
    const steno_depthwise_image convolution = {x, rows, bands, channels, padding, weights, bias, y};
    steno_convolve_image(NULL, &convolution);
}

void wide_gate(const float *x, int32_t rows, int32_t width, float *y) {
    steno_gate(NULL, x, 2 * (int64_t)width, rows, width, y, width);
}

void wide_silu(float *x, int32_t rows, int32_t width) { steno_silu(NULL, x, width, rows, width); }

void wide_scale_channels(
    const float *x, int64_t stride, int32_t rows, int32_t width, const float *scale, const float *shift, float slope,
    float *y) {
    steno_scale_channels(NULL, x, stride, rows, width, scale, shift, slope, y, stride);
}

void wide_max_pool(
    const float *x, int64_t stride, int32_t rows, int32_t width, int32_t step, bool magnitudes, float *y) {
    steno_max_pool(NULL, x, stride, rows, width, step, magnitudes, y, stride);
}
