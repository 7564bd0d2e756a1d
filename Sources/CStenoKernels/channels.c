#include "kernels.h"

// Few enough for a core's first cache, and enough to be worth a thread.
enum { NUMBERS_A_TASK = 8192 };

static int32_t rows_a_task(int32_t width) { return width < NUMBERS_A_TASK ? NUMBERS_A_TASK / width : 1; }

typedef struct {
    const steno_kernels *kernels;
    const float *x;
    int64_t x_stride;
    int32_t rows, width;
    const float *scale, *shift;
    float slope;
    int32_t step;
    bool magnitudes;
    float *y;
    int64_t y_stride;
} channel_work;

static void scale_task(void *context, int32_t index) {
    const channel_work *w = context;
    const int32_t first = index * rows_a_task(w->width), end = steno_least(first + rows_a_task(w->width), w->rows);
    for (int64_t i = first; i < end; i++) {
        w->kernels->scale_channels(
            w->x + i * w->x_stride, w->width, w->scale, w->shift, w->slope, w->y + i * w->y_stride);
    }
}

static void max_pool_task(void *context, int32_t index) {
    const channel_work *w = context;
    const int32_t first = index * rows_a_task(w->width), end = steno_least(first + rows_a_task(w->width), w->rows);
    for (int64_t i = first; i < end; i++) {
        w->kernels->max_pool(
            w->x + i * w->step * w->x_stride, w->x_stride, w->step, w->width, w->magnitudes, w->y + i * w->y_stride);
    }
}

static void run(steno_pool *pool, steno_task task, channel_work *work) {
    if (work->rows <= 0 || work->width <= 0) return;
    const int32_t rows = rows_a_task(work->width);
    work->kernels = steno_kernels_current();
    steno_pool_run(pool, task, work, (work->rows + rows - 1) / rows);
}

void steno_scale_channels(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, const float *scale,
    const float *shift, float slope, float *y, int64_t y_stride) {
    channel_work work = {
        .x = x, .x_stride = x_stride, .rows = rows, .width = width, .scale = scale, .shift = shift, .slope = slope,
        .y = y, .y_stride = y_stride};
    run(pool, scale_task, &work);
}

void steno_max_pool(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, int32_t step, bool magnitudes,
    float *y, int64_t y_stride) {
    channel_work work = {
        .x = x, .x_stride = x_stride, .rows = rows, .width = width, .step = step, .magnitudes = magnitudes, .y = y,
        .y_stride = y_stride};
    run(pool, max_pool_task, &work);
}

void steno_channel_sums(const float *x, int64_t x_stride, int32_t rows, int32_t width, float *sums) {
    steno_kernels_current()->channel_sums(x, x_stride, rows, width, NULL, sums);
}

void steno_channel_squares(
    const float *x, int64_t x_stride, int32_t rows, int32_t width, const float *centre, float *squares) {
    steno_kernels_current()->channel_sums(x, x_stride, rows, width, centre, squares);
}
