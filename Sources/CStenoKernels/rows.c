#include "kernels.h"

#include <math.h>
#include <string.h>

enum { ROWS_A_TASK = 64 };

static void rotate_task(void *context, int32_t index) {
    const steno_rotation *r = context;
    const steno_kernels *kernels = steno_kernels_current();
    const int32_t end = steno_least((index + 1) * ROWS_A_TASK, r->rows);
    const size_t room = (size_t)(r->y_head_width - r->head_width) * sizeof(float);
    for (int64_t i = index * ROWS_A_TASK; i < end; i++) {
        const float *x = r->x + i * r->x_stride;
        float *y = r->y + i * r->y_stride;
        const float *angles = r->angles ? r->angles + i * 2 * r->rotated : NULL;
        for (int32_t head = 0; head < r->heads; head++, x += r->head_width, y += r->y_head_width) {
            if (r->rotated) kernels->rotate(x, r->rotated, angles, y);
            memcpy(y + r->rotated, x + r->rotated, (size_t)(r->head_width - r->rotated) * sizeof(float));
            memset(y + r->head_width, 0, room);
        }
    }
}

void steno_rotate(steno_pool *pool, const steno_rotation *rotation) {
    steno_pool_run(pool, rotate_task, (void *)rotation, (rotation->rows + ROWS_A_TASK - 1) / ROWS_A_TASK);
}

typedef struct {
    const float *x;
    int64_t x_stride;
    int32_t rows, width;
    float *y;
    int64_t y_stride;
} gating;

static void gate_task(void *context, int32_t index) {
    const gating *g = context;
    const steno_kernels *kernels = steno_kernels_current();
    const int32_t end = steno_least((index + 1) * ROWS_A_TASK, g->rows);
    for (int64_t i = index * ROWS_A_TASK; i < end; i++) {
        const float *x = g->x + i * g->x_stride;
        kernels->gate_silu(x, x + g->width, g->width, g->y + i * g->y_stride);
    }
}

void steno_gate_silu(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, float *y, int64_t y_stride) {
    gating g = {x, x_stride, rows, width, y, y_stride};
    steno_pool_run(pool, gate_task, &g, (rows + ROWS_A_TASK - 1) / ROWS_A_TASK);
}

// The sums of a fixed number of blocks are added in order, so that no result depends on the number of threads.
enum { BLOCKS = 64 };

typedef struct {
    const float *x;
    int64_t x_stride;
    int32_t rows, width;
    const float *gamma, *beta;
    float *y;
    int64_t y_stride;
    float mean, scale;
    double sums[BLOCKS];
} group_norming;

static int64_t first_row(const group_norming *g, int32_t block) { return (int64_t)g->rows * block / BLOCKS; }

static void sum_task(void *context, int32_t block) {
    group_norming *g = context;
    const steno_kernels *kernels = steno_kernels_current();
    double sum = 0;
    for (int64_t i = first_row(g, block); i < first_row(g, block + 1); i++) {
        sum += (double)kernels->sum(g->x + i * g->x_stride, g->width);
    }
    g->sums[block] = sum;
}

static void square_task(void *context, int32_t block) {
    group_norming *g = context;
    const steno_kernels *kernels = steno_kernels_current();
    double sum = 0;
    for (int64_t i = first_row(g, block); i < first_row(g, block + 1); i++) {
        sum += (double)kernels->sum_squares(g->x + i * g->x_stride, g->width, g->mean);
    }
    g->sums[block] = sum;
}

static void scale_task(void *context, int32_t block) {
    const group_norming *g = context;
    const steno_kernels *kernels = steno_kernels_current();
    for (int64_t i = first_row(g, block); i < first_row(g, block + 1); i++) {
        kernels->scale_shift(
            g->x + i * g->x_stride, g->width, g->mean, g->scale, g->gamma, g->beta, g->y + i * g->y_stride);
    }
}

static double mean_of_blocks(const group_norming *g) {
    double sum = 0;
    for (int32_t i = 0; i < BLOCKS; i++) sum += g->sums[i];
    return sum / ((double)g->rows * g->width);
}

void steno_group_norm(
    steno_pool *pool, const float *x, int64_t x_stride, int32_t rows, int32_t width, const float *gamma,
    const float *beta, float epsilon, float *y, int64_t y_stride) {
    if (rows <= 0 || width <= 0) return;
    group_norming g = {
        .x = x, .x_stride = x_stride, .rows = rows, .width = width, .gamma = gamma, .beta = beta, .y = y,
        .y_stride = y_stride};
    steno_pool_run(pool, sum_task, &g, BLOCKS);
    g.mean = (float)mean_of_blocks(&g);
    // A second pass, because the variance of centred values does not suffer from cancellation.
    steno_pool_run(pool, square_task, &g, BLOCKS);
    g.scale = (float)(1.0 / sqrt(mean_of_blocks(&g) + (double)epsilon));
    steno_pool_run(pool, scale_task, &g, BLOCKS);
}
