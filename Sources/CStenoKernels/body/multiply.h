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

// sums[i][·] = Σ_k x[i][k] · w[k][·], w being [inputs][PANEL].
INLINE void tile_float(const int rows, const float *x, int64_t x_stride, const float *w, int64_t inputs, float *sums) {
    vf a[TILE_ROWS], b[TILE_ROWS];
    for (int i = 0; i < rows; i++) a[i] = b[i] = splat(0);
    for (int64_t k = 0; k < inputs; k++) {
        const vf wa = load(w + k * PANEL), wb = load(w + k * PANEL + LANES);
#pragma clang loop unroll(full)
        for (int i = 0; i < rows; i++) {
            const vf v = splat(x[i * x_stride + k]);
            a[i] = fma_(v, wa, a[i]);
            b[i] = fma_(v, wb, b[i]);
        }
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
            tile_float_any(rows, p->x + i * p->x_stride, p->x_stride, w, inputs, sums);
            for (int j = 0; j < rows; j++) finish(p, i + j, n, sums + j * PANEL, 0);
        }
    }
}

// Quantises a row as CTranslate2 does: scale 127 / max|x|, rounded to nearest even. Returns the value of one step, or
// NaN for a row with a NaN or an infinity, so that every result computed from the row is NaN.
static float quantize(const float *x, int32_t inputs, int32_t padded_inputs, activation *q) {
    const int32_t largest = largest_magnitude(x, inputs);
    if (largest >= NOT_FINITE) {
        for (int32_t k = 0; k < padded_inputs; k++) q[k] = ACTIVATION_OFFSET;
        return NAN;
    }
    const float steps = int8_steps(largest);
    int32_t k = 0;
    for (; k + LANES <= inputs; k += LANES) {
        const vf scaled = __builtin_elementwise_roundeven(load(x + k) * splat(steps));
        const vi whole = __builtin_convertvector(scaled, vi) + ACTIVATION_OFFSET;
        *(activations_any *)(q + k) = __builtin_convertvector(whole, activations);
    }
    for (; k < inputs; k++) q[k] = (activation)((int32_t)rintf(x[k] * steps) + ACTIVATION_OFFSET);
    for (; k < padded_inputs; k++) q[k] = ACTIVATION_OFFSET;
    return 1.0f / steps;
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
    for (int64_t k = 0; k < groups; k++) {
        const weights wa = load_weights(w + k * PANEL * GROUP), wb = load_weights(w + k * PANEL * GROUP + LANES * GROUP);
        if (ahead) {
            for (int i = 0; i < PANEL * GROUP; i += 64) __builtin_prefetch(w + k * PANEL * GROUP + ahead + i, 0, 2);
        }
#pragma clang loop unroll(full)
        for (int i = 0; i < rows; i++) {
            int32_t word;
            memcpy(&word, x + i * x_stride + k * GROUP, sizeof(word));
            a[i] = dot(a[i], word, wa);
            b[i] = dot(b[i], word, wb);
        }
    }
    for (int i = 0; i < rows; i++) {
        *(vi_any *)(sums + i * PANEL) = a[i];
        *(vi_any *)(sums + i * PANEL + LANES) = b[i];
    }
}
#endif

static void tile_int8_any(
    int rows, const activation *x, int64_t x_stride, const int8_t *w, int64_t groups, int64_t ahead, int32_t *sums) {
    TILES(tile_int8, rows, x, x_stride, w, groups, ahead, sums)
}

// The workspace of an int8 product: [rows, padded_inputs] activations, then the per-row scales, [rows].
INLINE int64_t activations_bytes(const steno_matrix *m, int32_t rows) {
    return steno_round_up((int64_t)rows * m->padded_inputs * (int64_t)sizeof(activation), STENO_ALIGNMENT);
}

static int64_t workspace_int8(const steno_matrix *m, int32_t rows) {
    return activations_bytes(m, rows) + steno_round_up((int64_t)rows * (int64_t)sizeof(float), STENO_ALIGNMENT);
}

static void prepare_int8(const steno_product *p, int32_t row, int32_t row_end) {
    const steno_matrix *m = p->matrix;
    float *scales = (float *)((char *)p->workspace + activations_bytes(m, p->rows));
    for (int32_t i = row; i < row_end; i++) {
        activation *stored = (activation *)p->workspace + (int64_t)i * m->padded_inputs;
        scales[i] = quantize(p->x + i * p->x_stride, m->inputs, m->padded_inputs, stored);
    }
}

static void multiply_int8(const steno_product *p, int32_t row, int32_t row_end, int32_t panel, int32_t panel_end) {
    const steno_matrix *m = p->matrix;
    const int64_t groups = m->padded_inputs / GROUP;
    const float *row_scales = (const float *)((const char *)p->workspace + activations_bytes(m, p->rows));
    int32_t whole[TILE_ROWS * PANEL];
    float sums[PANEL];
    // Several tiles of rows share a panel. Only the first waits for its weights, so it prefetches the next panel's.
    const int64_t next = row_end - row > TILE_ROWS ? (int64_t)m->padded_inputs * PANEL : 0;
    for (int32_t n = panel; n < panel_end; n++) {
        const int8_t *w = (const int8_t *)m->weights + (int64_t)n * m->padded_inputs * PANEL;
        const float *scales = m->scales + n * PANEL;
        vi offset[2] = {(vi)0, (vi)0};
        if (ACTIVATION_OFFSET) {
            for (int i = 0; i < 2; i++) offset[i] = *(const vi_any *)(m->sums + n * PANEL + i * LANES) * ACTIVATION_OFFSET;
        }
        for (int32_t i = row; i < row_end; i += TILE_ROWS) {
            const int rows = row_end - i < TILE_ROWS ? row_end - i : TILE_ROWS;
            const activation *x = (const activation *)p->workspace + (int64_t)i * m->padded_inputs;
            tile_int8_any(rows, x, m->padded_inputs, w, groups, i == row ? next : 0, whole);
            for (int j = 0; j < rows; j++) {
                const vf scale = splat(row_scales[i + j]);
                for (int h = 0; h < 2; h++) {
                    const vi total = *(const vi_any *)(whole + j * PANEL + h * LANES) - offset[h];
                    store(sums + h * LANES, __builtin_convertvector(total, vf) * scale * load(scales + h * LANES));
                }
                finish(p, i + j, n, sums, 1);
            }
        }
    }
}
