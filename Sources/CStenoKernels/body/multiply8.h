// The int8 matrix of one instruction set, and its product by the tile of GROUP inputs.
//
// An instruction set with its own product has these functions in its own file.

static void layout_int8(steno_matrix *m, steno_arena *arena) { layout_rows8(m, arena, GROUP, 1); }

// The start of one row's weights: number k is at [place_int8(k)].
INLINE int8_t *row_int8(const steno_matrix *m, int32_t row) {
    return (int8_t *)m->weights + (int64_t)(row / PANEL) * m->padded_inputs * PANEL + row % PANEL * GROUP;
}

INLINE int64_t place_int8(int64_t k) { return k / GROUP * GROUP * PANEL + k % GROUP; }

// What a weight adds to its row's sum: with activations stored with an offset, the products are too large by the offset
// times the sum of the weights.
INLINE int32_t summand_int8(int8_t weight) { return weight; }

// Called when rows [first, first + count) have been set.
INLINE void rows_set_int8(steno_matrix *m, int32_t first, int32_t count) { (void)m, (void)first, (void)count; }

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

// Scales the integer sums of row `row` in one panel, and writes the results; `sums` is room for them.
INLINE void finish_int8(
    const steno_product *p, int32_t row, int32_t panel, const int32_t *whole, float row_scale, float *sums) {
    const steno_matrix *m = p->matrix;
    for (int h = 0; h < 2; h++) {
        vi total = *(const vi_any *)(whole + h * LANES);
        if (ACTIVATION_OFFSET) total -= *(const vi_any *)(m->sums + panel * PANEL + h * LANES) * ACTIVATION_OFFSET;
        const vf scale = load(m->scales + panel * PANEL + h * LANES);
        store(sums + h * LANES, __builtin_convertvector(total, vf) * splat(row_scale) * scale);
    }
    finish(p, row, panel, sums, 1);
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
        for (int32_t i = row; i < row_end; i += TILE_ROWS) {
            const int rows = row_end - i < TILE_ROWS ? row_end - i : TILE_ROWS;
            const activation *x = (const activation *)p->workspace + (int64_t)i * m->padded_inputs;
            prefetch_results(p, i, rows, n);
            tile_int8_any(rows, x, m->padded_inputs, w, groups, i == row ? next : 0, whole);
            for (int j = 0; j < rows; j++) finish_int8(p, i + j, n, whole + j * PANEL, row_scales[i + j], sums);
        }
    }
}

#ifndef OWN_PRODUCTS_INT8
static const steno_product_kernel products_int8[] = {
    {.workspace = workspace_int8, .prepare = prepare_int8, .multiply = multiply_int8},
};
#endif
