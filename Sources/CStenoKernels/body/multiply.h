// The matrix products for one instruction set.
//
// A tile is ROWS rows by one panel of outputs, summed in registers over all inputs while the panel's weights are read
// in storage order. ROWS is a constant in each copy of the tile, so that the compiler keeps the sums in registers;
// TILE_ROWS is the maximum that fits.

// Every activation function propagates NaN.
INLINE vf activated(vf v, steno_activation activation, const int rough) {
    switch (activation) {
    case STENO_GELU: return rough ? rough_gelu(v) : gelu(v);
    case STENO_SILU: return v / (splat(1.0f) + exp_(-v));
    case STENO_RELU: return relu(v);
    case STENO_TANH: return tanh_close(v);
    case STENO_IDENTITY: break;
    }
    return v;
}

// Bias, activation and residual of one row of a tile. The activation of an int8 product may be approximate.
INLINE void finish(const steno_product *p, int32_t row, int32_t panel, const float *sums, const int rough) {
    const int32_t first = panel * PANEL;
    const int32_t count = p->matrix->outputs - first < PANEL ? p->matrix->outputs - first : PANEL;
    float *y = p->y + row * p->y_stride + first;
    const float *residual = p->residual ? p->residual + row * p->residual_stride + first : NULL;
    if (count == PANEL) {
        for (int i = 0; i < PANEL; i += LANES) {
            vf v = load(sums + i);
            if (p->bias) v += load(p->bias + first + i);
            v = activated(v, p->activation, rough);
            if (residual) v += load(residual + i);
            store(y + i, v);
        }
        return;
    }
    float padded[PANEL] = {0};
    memcpy(padded, sums, (size_t)count * sizeof(float));
    if (p->bias) for (int i = 0; i < count; i++) padded[i] += p->bias[first + i];
    for (int i = 0; i < PANEL; i += LANES) store(padded + i, activated(load(padded + i), p->activation, rough));
    for (int i = 0; i < count; i++) y[i] = residual ? padded[i] + residual[i] : padded[i];
}

// Prefetches where a tile's results are to be written: rows are far apart, and each would wait for its own cache lines.
INLINE void prefetch_results(const steno_product *p, int32_t row, int32_t rows, int32_t panel) {
    for (int32_t i = row; i < row + rows; i++) {
        const char *y = (const char *)(p->y + i * p->y_stride + (int64_t)panel * PANEL);
        for (int line = 0; line < PANEL * (int)sizeof(float); line += 64) __builtin_prefetch(y + line, 1);
    }
}

// sums[i][·] = Σ_k x[i][k] · w[k][·], w being [inputs][PANEL].
INLINE void tile_float(const int rows, const float *x, int64_t x_stride, const float *w, int64_t inputs, float *sums) {
    vf a[TILE_ROWS], b[TILE_ROWS];
    for (int i = 0; i < rows; i++) a[i] = b[i] = splat(0);
    tile_rows from = rows_of_tile(rows, x, x_stride * (int64_t)sizeof(*x));
    for (int64_t k = 0; k < inputs; k++, w += PANEL) {
        const vf wa = load(w), wb = load(w + LANES);
#pragma clang loop unroll(full)
        for (int i = 0; i < rows; i++) {
            const vf v = splat(*(const float *)tile_row(&from, i));
            a[i] = fma_(v, wa, a[i]);
            b[i] = fma_(v, wb, b[i]);
        }
        advance_rows(&from, rows, sizeof(*x));
    }
    for (int i = 0; i < rows; i++) {
        store(sums + i * PANEL, a[i]);
        store(sums + i * PANEL + LANES, b[i]);
    }
}

#define TILE_CASE(name, n, ...) case n: name(n, __VA_ARGS__); break;
#if TILE_ROWS == 12
#define TILES(name, rows, ...) switch (rows) { \
    TILE_CASE(name, 1, __VA_ARGS__) TILE_CASE(name, 2, __VA_ARGS__) TILE_CASE(name, 3, __VA_ARGS__) \
    TILE_CASE(name, 4, __VA_ARGS__) TILE_CASE(name, 5, __VA_ARGS__) TILE_CASE(name, 6, __VA_ARGS__) \
    TILE_CASE(name, 7, __VA_ARGS__) TILE_CASE(name, 8, __VA_ARGS__) TILE_CASE(name, 9, __VA_ARGS__) \
    TILE_CASE(name, 10, __VA_ARGS__) TILE_CASE(name, 11, __VA_ARGS__) default: name(12, __VA_ARGS__); }
#else
#define TILES(name, rows, ...) switch (rows) { \
    TILE_CASE(name, 1, __VA_ARGS__) TILE_CASE(name, 2, __VA_ARGS__) TILE_CASE(name, 3, __VA_ARGS__) \
    TILE_CASE(name, 4, __VA_ARGS__) TILE_CASE(name, 5, __VA_ARGS__) default: name(6, __VA_ARGS__); }
#endif

static void tile_float_any(
    int rows, const float *x, int64_t x_stride, const float *w, int64_t inputs, float *sums) {
    TILES(tile_float, rows, x, x_stride, w, inputs, sums)
}

static void multiply_float(
    const steno_product *p, int32_t row, int32_t row_end, int32_t panel, int32_t panel_end) {
    const int64_t inputs = p->matrix->inputs;
    float sums[TILE_ROWS * PANEL];
    for (int32_t n = panel; n < panel_end; n++) {
        const float *w = (const float *)p->matrix->weights + n * inputs * PANEL;
        for (int32_t i = row; i < row_end; i += TILE_ROWS) {
            const int rows = row_end - i < TILE_ROWS ? row_end - i : TILE_ROWS;
            prefetch_results(p, i, rows, n);
            tile_float_any(rows, p->x + i * p->x_stride, p->x_stride, w, inputs, sums);
            for (int j = 0; j < rows; j++) finish(p, i + j, n, sums + j * PANEL, 0);
        }
    }
}

// Lays out an int8 matrix: weights in whole groups of inputs, per-row scales, and `sums` sums for each row.
INLINE void layout_rows8(steno_matrix *m, steno_arena *arena, int32_t group, int32_t sums) {
    m->padded_inputs = (int32_t)steno_round_up(m->inputs, group);
    const int64_t rows = (int64_t)m->panels * PANEL;
    m->weight_bytes = rows * m->padded_inputs;
    m->weights = steno_arena_take(arena, rows, m->padded_inputs, 1);
    m->scales = steno_arena_take(arena, rows, 1, sizeof(float));
    m->sums = steno_arena_take(arena, rows, sums, sizeof(int32_t));
}

// Stores whole number k, in one or in two bytes.
INLINE void put_whole(const int size, void *q, int64_t k, int32_t whole) {
    if (size == 1) ((int8_t *)q)[k] = (int8_t)whole;
    else ((int16_t *)q)[k] = (int16_t)whole;
}

// The same for a vector of numbers, from k on.
INLINE void put_wholes(const int size, void *q, int64_t k, vi wholes) {
    if (size == 1) *(bytes_any *)((int8_t *)q + k) = __builtin_convertvector(wholes, bytes_of_vector);
    else *(shorts_any *)((int16_t *)q + k) = __builtin_convertvector(wholes, shorts_of_vector);
}

// Quantises a row as CTranslate2 does, into numbers of `size` bytes: scale 127 / max|x|, rounded to nearest even, plus
// the offset. Returns the value of one step, or NaN for a row with a NaN or an infinity, so that every result computed
// from the row is NaN.
INLINE float quantize_into(
    const int size, const int32_t offset, const float *x, int32_t inputs, int32_t padded_inputs, void *q) {
    const int32_t largest = largest_magnitude(x, inputs);
    if (largest >= NOT_FINITE) {
        for (int32_t k = 0; k < padded_inputs; k++) put_whole(size, q, k, offset);
        return NAN;
    }
    const float steps = int8_steps(largest);
    int32_t k = 0;
    for (; size == 1 && k + 4 * LANES <= inputs; k += 4 * LANES) {
        vi wholes[4];
        for (int i = 0; i < 4; i++) wholes[i] = nearest(load(x + k + i * LANES) * splat(steps));
        *(bytes_anywhere *)((int8_t *)q + k) = narrowed(wholes) + (bytes)(int8_t)offset;
    }
    for (; k + LANES <= inputs; k += LANES) put_wholes(size, q, k, nearest(load(x + k) * splat(steps)) + offset);
    for (; k < inputs; k++) put_whole(size, q, k, (int32_t)rintf(x[k] * steps) + offset);
    for (; k < padded_inputs; k++) put_whole(size, q, k, offset);
    return 1.0f / steps;
}

// Quantises a row into the activations that tile_int8 multiplies.
static float quantize(const float *x, int32_t inputs, int32_t padded_inputs, activation *q) {
    return quantize_into(sizeof(activation), ACTIVATION_OFFSET, x, inputs, padded_inputs, q);
}

#ifndef OWN_TILE_INT8
// The same tile in integers: w is [inputs / GROUP][PANEL][GROUP] bytes, and a word holds GROUP activations. If `ahead`
// is not 0, the weights at that offset are prefetched into the L2 cache line by line: a burst would delay the loads
// behind it, and hardware prefetchers stop at the end of every page.
INLINE void tile_int8(
    const int rows, const activation *x, int64_t x_stride, const int8_t *w, int64_t groups, int64_t ahead,
    int32_t *sums) {
    vi a[TILE_ROWS], b[TILE_ROWS];
    for (int i = 0; i < rows; i++) a[i] = b[i] = (vi)0;
    tile_rows from = rows_of_tile(rows, x, x_stride * (int64_t)sizeof(*x));
    for (int64_t k = 0; k < groups; k++, w += PANEL * GROUP) {
        const weights wa = load_weights(w), wb = load_weights(w + LANES * GROUP);
        if (ahead) {
            for (int i = 0; i < PANEL * GROUP; i += 64) __builtin_prefetch(w + ahead + i, 0, 2);
        }
#pragma clang loop unroll(full)
        for (int i = 0; i < rows; i++) {
            int32_t word;
            memcpy(&word, tile_row(&from, i), sizeof(word));
            a[i] = dot(a[i], word, wa);
            b[i] = dot(b[i], word, wb);
        }
        advance_rows(&from, rows, GROUP * sizeof(*x));
    }
    for (int i = 0; i < rows; i++) {
        *(vi_any *)(sums + i * PANEL) = a[i];
        *(vi_any *)(sums + i * PANEL + LANES) = b[i];
    }
}
#endif
