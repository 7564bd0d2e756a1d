#include "kernels.h"

enum { ROWS_A_TASK = 16 };

typedef struct {
    const steno_kernels *kernels;
    const steno_depthwise *depthwise;
    const steno_depthwise_image *image;
    const float *x;
    int64_t x_stride;
    int32_t rows, width;
    float *y;
    int64_t y_stride;
} row_work;

static int32_t end_of(const row_work *w, int32_t index) {
    return (index + 1) * ROWS_A_TASK < w->rows ? (index + 1) * ROWS_A_TASK : w->rows;
}

static void run(steno_pool *pool, steno_task task, row_work *w) {
    w->kernels = steno_kernels_current();
    steno_pool_run(pool, task, w, (w->rows + ROWS_A_TASK - 1) / ROWS_A_TASK);
}

static void depthwise_task(void *context, int32_t index) {
    const row_work *w = context;
    for (int32_t i = index * ROWS_A_TASK; i < end_of(w, index); i++) w->kernels->convolve_row(w->depthwise, i);
}

void steno_convolve_depthwise(steno_pool *pool, const steno_depthwise *convolution) {
    run(pool, depthwise_task, &(row_work){.depthwise = convolution, .rows = convolution->rows});
}

static void image_task(void *context, int32_t index) {
    const row_work *w = context;
    for (int32_t i = index * ROWS_A_TASK; i < end_of(w, index); i++) w->kernels->convolve_image_row(w->image, i);
}

void steno_convolve_image(steno_pool *pool, const steno_depthwise_image *convolution) {
    run(pool, image_task, &(row_work){.image = convolution, .rows = convolution->rows});
}

static void gate_task(void *context, int32_t index) {
    const row_work *w = context;
    for (int32_t i = index * ROWS_A_TASK; i < end_of(w, index); i++) {
        w->kernels->gate(w->x + i * w->x_stride, w->width, w->y + i * w->y_stride);
    }
}

void steno_gate(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, float *y, int64_t y_stride) {
    run(pool, gate_task, &(row_work){
        .x = x, .x_stride = x_stride, .rows = rows, .width = width, .y = y, .y_stride = y_stride});
}

static void silu_task(void *context, int32_t index) {
    const row_work *w = context;
    for (int32_t i = index * ROWS_A_TASK; i < end_of(w, index); i++) w->kernels->silu(w->y + i * w->y_stride, w->width);
}

void steno_silu(steno_pool *pool, float *x, int64_t x_stride, int32_t rows, int32_t width) {
    run(pool, silu_task, &(row_work){.rows = rows, .width = width, .y = x, .y_stride = x_stride});
}
