// How one instruction set stores matrices, attention memories and caches.

static void layout_float32(steno_matrix *m, steno_arena *arena) {
    m->padded_inputs = m->inputs;
    const int64_t rows = (int64_t)m->panels * PANEL;
    m->weight_bytes = rows * m->inputs * (int64_t)sizeof(float);
    m->weights = steno_arena_take(arena, rows, m->inputs, sizeof(float));
}

// The start of one row's weights: number k is at [k * PANEL].
INLINE float *row_float32(const steno_matrix *m, int32_t row) {
    return (float *)m->weights + (int64_t)(row / PANEL) * m->inputs * PANEL + row % PANEL;
}

static int32_t set_float_float32(steno_matrix *m, int32_t first, int32_t count, const float *rows) {
    int32_t damaged = 0;
    for (int32_t start = 0; start < count; start += PANEL) {
        const int32_t n = count - start < PANEL ? count - start : PANEL;
        float *to = row_float32(m, first + start);
        const float *from = rows + (int64_t)start * m->inputs;
        for (int64_t k = 0; k < m->inputs; k++) {
            for (int32_t i = 0; i < n; i++) to[k * PANEL + i] = from[(int64_t)i * m->inputs + k];
        }
        for (int32_t i = 0; i < n; i++) damaged += largest_magnitude(from + (int64_t)i * m->inputs, m->inputs) >= NOT_FINITE;
    }
    return damaged;
}

// Whether every int8 value divided by the scale is finite: neither 0 / 0 nor a quotient that overflows.
INLINE int is_scale(float scale) { return isfinite(scale) && isfinite(128.0f / scale); }

static int32_t set_int8_float32(
    steno_matrix *m, int32_t first, int32_t count, const int8_t *rows, const float *scales) {
    int32_t damaged = 0;
    for (int32_t i = 0; i < count; i++) {
        float *to = row_float32(m, first + i);
        const int8_t *from = rows + (int64_t)i * m->inputs;
        const float scale = is_scale(scales[i]) ? scales[i] : NAN;
        damaged += !is_scale(scales[i]);
        for (int64_t k = 0; k < m->inputs; k++) to[k * PANEL] = (float)from[k] / scale;
    }
    return damaged;
}

static void get_row_float32(const steno_matrix *m, int32_t row, float *values) {
    const float *from = row_float32(m, row);
    for (int64_t k = 0; k < m->inputs; k++) values[k] = from[k * PANEL];
}

// Quantises as CTranslate2 does when loading: a row of zeros gets scale 1. A row that is not finite gets zeros and a
// scale that makes its products NaN.
static int32_t set_float_int8(steno_matrix *m, int32_t first, int32_t count, const float *rows) {
    int32_t damaged = 0;
    for (int32_t i = 0; i < count; i++) {
        const float *from = rows + (int64_t)i * m->inputs;
        int8_t *to = row_int8(m, first + i);
        const int32_t largest = largest_magnitude(from, m->inputs);
        const int finite = largest < NOT_FINITE;
        const float steps = finite ? int8_steps(largest) : NAN;
        int32_t sum = 0;
        for (int64_t k = 0; k < m->inputs; k++) {
            const int8_t whole = finite ? (int8_t)rintf(from[k] * steps) : 0;
            to[place_int8(k)] = whole;
            sum += summand_int8(whole);
        }
        m->scales[first + i] = 1.0f / steps;
        m->sums[first + i] = sum;
        damaged += !finite;
    }
    rows_set_int8(m, first, count);
    return damaged;
}

static int32_t set_int8_int8(steno_matrix *m, int32_t first, int32_t count, const int8_t *rows, const float *scales) {
    int32_t damaged = 0;
    for (int32_t i = 0; i < count; i++) {
        const int8_t *from = rows + (int64_t)i * m->inputs;
        int8_t *to = row_int8(m, first + i);
        int32_t sum = 0;
        for (int64_t k = 0; k < m->inputs; k++) {
            to[place_int8(k)] = from[k];
            sum += summand_int8(from[k]);
        }
        m->scales[first + i] = is_scale(scales[i]) ? 1.0f / scales[i] : NAN;
        m->sums[first + i] = sum;
        damaged += !is_scale(scales[i]);
    }
    rows_set_int8(m, first, count);
    return damaged;
}

static void get_row_int8(const steno_matrix *m, int32_t row, float *values) {
    const int8_t *from = row_int8(m, row);
    for (int64_t k = 0; k < m->inputs; k++) values[k] = (float)from[place_int8(k)] * m->scales[row];
}

static void layout_memory_float(steno_memory *m, steno_arena *arena) {
    m->padded_width = in_panels(m->head_width);
    const int64_t positions = (int64_t)m->heads * m->capacity;
    m->keys = steno_arena_take(arena, positions, m->head_width, sizeof(float));
    m->values = steno_arena_take(arena, positions, m->padded_width, sizeof(float));
}

// Packs one panel of positions, padded with zero keys after the last position, so that no score is NaN, and with zero
// values after the last channel.
static void pack_float(
    steno_memory *m, int32_t head, int32_t first, int32_t count, const float *keys, const float *values,
    int64_t stride) {
    const int32_t width = m->head_width, channels = m->padded_width;
    float *to = (float *)m->keys + ((int64_t)head * m->capacity + first) * width;
    for (int32_t i = 0; i < PANEL; i++) {
        const float *key = keys + i * stride;
        for (int32_t c = 0; c < width; c++) to[c * PANEL + i] = i < count ? key[c] : 0;
    }
    for (int32_t c = 0; c < channels; c += PANEL) {
        const int32_t there = width - c < PANEL ? width - c : PANEL;
        to = (float *)m->values + ((int64_t)head * channels + c) * m->capacity + (int64_t)first * PANEL;
        for (int32_t i = 0; i < count; i++) {
            memcpy(to + i * PANEL, values + i * stride + c, (size_t)there * sizeof(float));
            memset(to + i * PANEL + there, 0, (size_t)(PANEL - there) * sizeof(float));
        }
    }
}

static void store_float32(const float *values, int64_t count, void *cache, int64_t index) {
    memcpy((float *)cache + index, values, (size_t)count * sizeof(float));
}

static void store_bfloat16(const float *values, int64_t count, void *cache, int64_t index) {
    steno_narrow_bfloat16(values, count, (uint16_t *)cache + index);
}
