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
