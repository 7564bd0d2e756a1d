#include "kernels.h"

enum { QUERIES_A_TASK = 4 * STENO_RELATIVE_QUERIES };

typedef struct {
    const steno_kernels *kernels;
    const steno_relative_attention *attention;
    int32_t blocks;
} relative_work;

static void attend_task(void *context, int32_t index) {
    const relative_work *w = context;
    const int32_t row = index % w->blocks * QUERIES_A_TASK, rows = w->attention->rows;
    const int32_t end = row + QUERIES_A_TASK < rows ? row + QUERIES_A_TASK : rows;
    w->kernels->attend_relative(w->attention, index / w->blocks, row, end);
}

void steno_attend_relative(steno_pool *pool, const steno_relative_attention *attention) {
    relative_work w = {
        steno_kernels_current(), attention, (attention->rows + QUERIES_A_TASK - 1) / QUERIES_A_TASK};
    steno_pool_run(pool, attend_task, &w, attention->memory->heads * w.blocks);
}
