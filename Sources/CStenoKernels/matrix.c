#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static int64_t round_up(int64_t value, int64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

static void *allocate_zeroed(int64_t bytes) {
    void *memory = NULL;
    if (posix_memalign(&memory, ALIGNMENT, (size_t)round_up(bytes, ALIGNMENT)) != 0) return NULL;
    memset(memory, 0, (size_t)bytes);
    return memory;
}

int32_t steno_matrix_panel(void) { return steno_kernels_current()->panel; }

steno_matrix *steno_matrix_create(int32_t outputs, int32_t inputs, steno_precision precision) {
    const steno_kernels *kernels = steno_kernels_current();
    steno_matrix *m = calloc(1, sizeof(*m));
    if (!m) return NULL;
    m->outputs = outputs;
    m->inputs = inputs;
    m->precision = precision;
    m->panels = (outputs + kernels->panel - 1) / kernels->panel;
    m->padded_inputs = (int32_t)round_up(inputs, kernels->group);
    const int64_t rows = (int64_t)m->panels * kernels->panel;
    m->bytes = precision == STENO_INT8 ? rows * m->padded_inputs : rows * inputs * (int64_t)sizeof(float);
    m->weights = allocate_zeroed(m->bytes);
    if (precision == STENO_INT8) {
        m->units = allocate_zeroed(rows * (int64_t)sizeof(float));
        m->sums = allocate_zeroed(rows * (int64_t)sizeof(int32_t));
    }
    if (!m->weights || (precision == STENO_INT8 && (!m->units || !m->sums))) {
        steno_matrix_destroy(m);
        return NULL;
    }
    return m;
}

void steno_matrix_destroy(steno_matrix *m) {
    if (!m) return;
    free(m->weights);
    free(m->units);
    free(m->sums);
    free(m);
}

int64_t steno_matrix_bytes(const steno_matrix *m) { return m->bytes; }

static void set_float_panel(steno_matrix *m, int32_t panel, int32_t width, const float *rows, int32_t count) {
    float *to = (float *)m->weights + (int64_t)panel * m->inputs * width;
    for (int32_t k = 0; k < m->inputs; k++) {
        for (int32_t i = 0; i < count; i++) to[(int64_t)k * width + i] = rows[(int64_t)i * m->inputs + k];
    }
}

static void set_byte_panel(steno_matrix *m, int32_t panel, int32_t width, int32_t group, const int8_t *rows, int32_t count) {
    int8_t *to = (int8_t *)m->weights + (int64_t)panel * m->padded_inputs * width;
    for (int32_t k = 0; k < m->inputs; k += group) {
        const int32_t take = m->inputs - k < group ? m->inputs - k : group;
        for (int32_t i = 0; i < count; i++) {
            const int8_t *from = rows + (int64_t)i * m->inputs + k;
            int8_t *cell = to + (int64_t)k * width + i * group;
            for (int32_t j = 0; j < take; j++) cell[j] = from[j];
        }
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t sum = 0;
        for (int32_t k = 0; k < m->inputs; k++) sum += rows[(int64_t)i * m->inputs + k];
        m->sums[panel * width + i] = sum;
    }
}

// Quantises as CTranslate2 does when it loads: a row of zeros gets scale 1.
static float quantize_weights(const float *row, int32_t count, int8_t *bytes) {
    float peak = 0;
    for (int32_t k = 0; k < count; k++) peak = fmaxf(peak, fabsf(row[k]));
    const float scale = peak > 0 ? 127.0f / peak : 1.0f;
    for (int32_t k = 0; k < count; k++) bytes[k] = (int8_t)rintf(row[k] * scale);
    return scale;
}

void steno_matrix_set_float(steno_matrix *m, int32_t first, int32_t count, const float *rows) {
    const int32_t width = steno_kernels_current()->panel;
    int8_t *bytes = m->precision == STENO_INT8 ? malloc((size_t)width * (size_t)m->inputs) : NULL;
    float scales[64];
    for (int32_t start = 0; start < count; start += width) {
        const int32_t n = count - start < width ? count - start : width;
        const float *from = rows + (int64_t)start * m->inputs;
        if (m->precision == STENO_FLOAT32) {
            set_float_panel(m, (first + start) / width, width, from, n);
        } else if (bytes) {
            for (int32_t i = 0; i < n; i++) {
                scales[i] = quantize_weights(from + (int64_t)i * m->inputs, m->inputs, bytes + (int64_t)i * m->inputs);
            }
            steno_matrix_set_int8(m, first + start, n, bytes, scales);
        }
    }
    free(bytes);
}

void steno_matrix_set_int8(steno_matrix *m, int32_t first, int32_t count, const int8_t *rows, const float *scales) {
    const steno_kernels *kernels = steno_kernels_current();
    const int32_t width = kernels->panel;
    float *floats = m->precision == STENO_FLOAT32 ? malloc((size_t)width * (size_t)m->inputs * sizeof(float)) : NULL;
    for (int32_t start = 0; start < count; start += width) {
        const int32_t n = count - start < width ? count - start : width;
        const int8_t *from = rows + (int64_t)start * m->inputs;
        if (m->precision == STENO_INT8) {
            set_byte_panel(m, (first + start) / width, width, kernels->group, from, n);
            for (int32_t i = 0; i < n; i++) m->units[first + start + i] = 1.0f / scales[start + i];
        } else if (floats) {
            for (int32_t i = 0; i < n; i++) {
                for (int64_t k = 0; k < m->inputs; k++) {
                    floats[i * m->inputs + k] = (float)from[i * m->inputs + k] / scales[start + i];
                }
            }
            set_float_panel(m, (first + start) / width, width, floats, n);
        }
    }
    free(floats);
}

void steno_matrix_get_row(const steno_matrix *m, int32_t row, float *values) {
    const steno_kernels *kernels = steno_kernels_current();
    const int32_t width = kernels->panel, panel = row / width, lane = row % width, group = kernels->group;
    if (m->precision == STENO_FLOAT32) {
        const float *from = (const float *)m->weights + (int64_t)panel * m->inputs * width + lane;
        for (int64_t k = 0; k < m->inputs; k++) values[k] = from[k * width];
        return;
    }
    const int8_t *from = (const int8_t *)m->weights + (int64_t)panel * m->padded_inputs * width + lane * group;
    for (int64_t k = 0; k < m->inputs; k++) {
        values[k] = (float)from[k / group * group * width + k % group] * m->units[row];
    }
}

// The workspace of an int8 product: [rows, padded_inputs] activations, then [rows] units.
static int64_t stored_bytes(const steno_matrix *m, int32_t rows) {
    return round_up((int64_t)rows * m->padded_inputs * steno_kernels_current()->activation_bytes, ALIGNMENT);
}

int64_t steno_product_workspace(const steno_matrix *m, int32_t rows) {
    if (m->precision == STENO_FLOAT32) return 0;
    return stored_bytes(m, rows) + round_up((int64_t)rows * (int64_t)sizeof(float), ALIGNMENT);
}

enum { ROWS_A_TASK = 96 };

typedef struct {
    const steno_kernels *kernels;
    const steno_product *product;
    char *stored;
    float *units;
    int32_t row_blocks;
    int32_t panels_a_task;
} multiplication;

static void quantize_task(void *context, int32_t index) {
    const multiplication *m = context;
    const steno_product *p = m->product;
    const int64_t bytes = (int64_t)p->matrix->padded_inputs * m->kernels->activation_bytes;
    const int32_t first = index * ROWS_A_TASK;
    const int32_t end = first + ROWS_A_TASK < p->rows ? first + ROWS_A_TASK : p->rows;
    for (int32_t i = first; i < end; i++) {
        m->units[i] = m->kernels->quantize(
            p->x + i * p->x_stride, p->matrix->inputs, p->matrix->padded_inputs, m->stored + i * bytes);
    }
}

static void multiply_task(void *context, int32_t index) {
    const multiplication *m = context;
    const steno_product *p = m->product;
    const int32_t row = index % m->row_blocks * ROWS_A_TASK;
    const int32_t row_end = row + ROWS_A_TASK < p->rows ? row + ROWS_A_TASK : p->rows;
    const int32_t panel = index / m->row_blocks * m->panels_a_task;
    const int32_t panels = p->matrix->panels;
    const int32_t panel_end = panel + m->panels_a_task < panels ? panel + m->panels_a_task : panels;
    if (p->matrix->precision == STENO_FLOAT32) {
        m->kernels->multiply_float(p, row, row_end, panel, panel_end);
    } else {
        m->kernels->multiply_int8(p, m->stored, m->units, row, row_end, panel, panel_end);
    }
}

void steno_multiply(steno_pool *pool, const steno_product *p) {
    if (p->rows <= 0) return;
    multiplication m = {steno_kernels_current(), p, p->workspace, NULL, (p->rows + ROWS_A_TASK - 1) / ROWS_A_TASK, 0};
    if (p->matrix->precision == STENO_INT8) {
        m.units = (float *)(m.stored + stored_bytes(p->matrix, p->rows));
        steno_pool_run(pool, quantize_task, &m, m.row_blocks);
    }
    // Four tasks a thread even out what the threads do; one thread gets each block of rows whole.
    const int32_t threads = steno_pool_threads(pool);
    const int32_t wanted = threads == 1 ? 1 : (4 * threads + m.row_blocks - 1) / m.row_blocks;
    m.panels_a_task = (p->matrix->panels + wanted - 1) / wanted;
    const int32_t columns = (p->matrix->panels + m.panels_a_task - 1) / m.panels_a_task;
    steno_pool_run(pool, multiply_task, &m, m.row_blocks * columns);
}
