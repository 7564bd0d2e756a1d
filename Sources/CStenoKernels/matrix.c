#include "kernels.h"

STENO_FORMAT_NAMED(matrix)

steno_matrix *steno_matrix_create(int32_t outputs, int32_t inputs, steno_format format) {
    const steno_matrix_format *operations = matrix_format_named(format);
    if (!operations || outputs < 1 || inputs < 1) return NULL;
    const int64_t panels = ((int64_t)outputs + operations->panel - 1) / operations->panel;
    if (panels * operations->panel > INT32_MAX || inputs > INT32_MAX - STENO_ALIGNMENT) return NULL;
    steno_matrix *m = calloc(1, sizeof(*m));
    if (!m) return NULL;
    m->format = operations;
    m->outputs = outputs;
    m->inputs = inputs;
    m->panels = (int32_t)panels;
    steno_arena arena = {NULL, 0, false};
    operations->layout(m, &arena);
    m->block = steno_arena_allocate(&arena, true);
    if (!m->block) {
        steno_matrix_destroy(m);
        return NULL;
    }
    operations->layout(m, &arena);
    return m;
}

void steno_matrix_destroy(steno_matrix *m) {
    if (!m) return;
    free(m->block);
    free(m);
}

int32_t steno_matrix_panel(const steno_matrix *m) { return m->format->panel; }

int64_t steno_matrix_bytes(const steno_matrix *m) { return m->weight_bytes; }

int32_t steno_matrix_set_float(steno_matrix *m, int32_t first, int32_t count, const float *rows) {
    return m->format->set_float(m, first, count, rows);
}

int32_t steno_matrix_set_int8(steno_matrix *m, int32_t first, int32_t count, const int8_t *rows, const float *scales) {
    return m->format->set_int8(m, first, count, rows, scales);
}

void steno_matrix_get_row(const steno_matrix *m, int32_t row, float *values) { m->format->get_row(m, row, values); }

int64_t steno_product_workspace(const steno_matrix *m, int32_t rows) {
    // The maximum over all kernels that a product of this many rows or fewer may use.
    int64_t most = 0;
    for (int32_t i = 0; i < m->format->kernel_count; i++) {
        const steno_product_kernel *kernel = m->format->kernels + i;
        if (kernel->least_rows > rows || !kernel->workspace) continue;
        const int64_t bytes = kernel->workspace(m, rows);
        if (bytes > most) most = bytes;
    }
    return most;
}

enum { ROWS_A_TASK = 96 };

typedef struct {
    const steno_product_kernel *kernel;
    const steno_product *product;
    int32_t row_blocks;
    int32_t panels_a_task;
} multiplication;

static void prepare_task(void *context, int32_t index) {
    const multiplication *m = context;
    const int32_t row = index * ROWS_A_TASK;
    m->kernel->prepare(m->product, row, steno_least(row + ROWS_A_TASK, m->product->rows));
}

static void multiply_task(void *context, int32_t index) {
    const multiplication *m = context;
    const int32_t row = index % m->row_blocks * ROWS_A_TASK;
    const int32_t panel = index / m->row_blocks * m->panels_a_task;
    m->kernel->multiply(
        m->product, row, steno_least(row + ROWS_A_TASK, m->product->rows), panel,
        steno_least(panel + m->panels_a_task, m->product->matrix->panels));
}

static const steno_product_kernel *kernel_for(const steno_matrix_format *format, int32_t rows) {
    const steno_product_kernel *kernel = format->kernels + format->kernel_count - 1;
    while (kernel > format->kernels && kernel->least_rows > rows) kernel--;
    return kernel;
}

// Whether the product before has already converted the rows. What they are converted to depends on nothing else.
static bool is_prepared(const steno_product *p) {
    return p->previous && p->previous->format == p->matrix->format && p->previous->inputs == p->matrix->inputs;
}

void steno_multiply(steno_pool *pool, const steno_product *p) {
    if (p->rows <= 0) return;
    multiplication m = {kernel_for(p->matrix->format, p->rows), p, (p->rows + ROWS_A_TASK - 1) / ROWS_A_TASK, 0};
    if (m.kernel->prepare && !is_prepared(p)) steno_pool_run(pool, prepare_task, &m, m.row_blocks);
    // Four tasks per thread balance the load; a single thread gets each block of rows whole.
    const int32_t threads = steno_pool_threads(pool);
    const int32_t wanted = threads == 1 ? 1 : (4 * threads + m.row_blocks - 1) / m.row_blocks;
    m.panels_a_task = (p->matrix->panels + wanted - 1) / wanted;
    const int32_t columns = (p->matrix->panels + m.panels_a_task - 1) / m.panels_a_task;
    steno_pool_run(pool, multiply_task, &m, m.row_blocks * columns);
}
