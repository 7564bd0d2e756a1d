// The ternary matrix of one instruction set, and its product.
//
// A weight is −1, 0 or 1 times the scale of its group of 128 inputs. The matrix stores the codes 0, 1 and 2 in two bits
// each, so that a product of a few rows, which waits for its weights, reads a quarter of the bytes of an int8 matrix.
// Input rows are quantised as for an int8 matrix. The sum of a group is exact, so it is the same in all instruction sets;
// the scaled sums are added in the order of the groups, each with one rounding.
//
// Codes need no sign: Σ x · (code − 1) = Σ x · code − Σ x, and a sum begins with −Σ x, which `prepare` computes once for
// each row and group. An instruction set defines how codes are multiplied:
//
//     CODE_GROUP    the neighbouring inputs of an output whose codes are multiplied together: four, or eight in a tile of
//                   its own
//     add_codes     adds the products of a word of four activations to the sums of a vector of outputs
//     partial       their type: int32, or with SHORT_SUMS two numbers of 16 bits for each output, which hold 128 · 127 for
//                   −Σ x and 64 · 127 · 2 for the products; else `begin` and `whole` convert from and to int32

enum {
    TERNARY_PANEL = PANEL * STENO_TERNARY_GROUP, // the codes of a group in a panel
    PACKED_INPUTS = 4 * CODE_GROUP,              // the inputs of a vector of packed codes
    TERNARY_ROWS = 96,                           // a block of rows, for which codes are unpacked once
};

// Prefetches codes a page ahead: groups and panels follow one another, but hardware prefetchers stop at the end of every
// page. A product of one row takes a quarter less time with it.
INLINE void prefetch_codes(const uint8_t *w, int bytes) {
    for (int line = 0; line < bytes; line += 64) __builtin_prefetch(w + line + 4096, 0, 3);
}

INLINE codes load_codes(const uint8_t *w) {
    codes c;
    memcpy(&c, w, sizeof(c));
    return c;
}

// The codes in two bits of every byte.
INLINE codes quarter(codes packed, int j) { return packed >> (uint16_t)(2 * j) & (uint16_t)0x0303; }

INLINE int32_t ternary_groups(const steno_matrix *m) { return m->padded_inputs / STENO_TERNARY_GROUP; }

// Weights are [panels][groups][128 / PACKED_INPUTS][PANEL][CODE_GROUP] bytes: two bits of a byte are the code of an input,
// the next two that of the input CODE_GROUP later.
static void layout_ternary(steno_matrix *m, steno_arena *arena) {
    m->padded_inputs = (int32_t)steno_round_up(m->inputs, STENO_TERNARY_GROUP);
    const int64_t rows = (int64_t)m->panels * PANEL;
    m->weight_bytes = rows * (m->padded_inputs / 4);
    m->weights = steno_arena_take(arena, rows, m->padded_inputs / 4, 1);
    m->scales = steno_arena_take(arena, rows, ternary_groups(m), sizeof(float));
}

// The codes and the scales of a group in a panel.
INLINE uint8_t *panel_codes(const steno_matrix *m, int32_t panel, int32_t group) {
    return (uint8_t *)m->weights + ((int64_t)panel * ternary_groups(m) + group) * (TERNARY_PANEL / 4);
}

INLINE float *panel_scales(const steno_matrix *m, int32_t panel, int32_t group) {
    return m->scales + ((int64_t)panel * ternary_groups(m) + group) * PANEL;
}

// The place of input k's byte in a group of a row, and its bits.
INLINE int32_t code_byte(int32_t row, int32_t k) {
    return (k / PACKED_INPUTS * PANEL + row % PANEL) * CODE_GROUP + k % CODE_GROUP;
}
INLINE int32_t code_shift(int32_t k) { return k / CODE_GROUP % 4 * 2; }

static int32_t set_ternary(steno_matrix *m, int32_t first, int32_t count, const int8_t *rows, const float *scales) {
    const int32_t groups = ternary_groups(m);
    int32_t damaged = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t row = first + i;
        const int8_t *from = rows + (int64_t)i * m->inputs;
        bool finite = true;
        for (int32_t g = 0; g < groups; g++, from += STENO_TERNARY_GROUP) {
            uint8_t *to = panel_codes(m, row / PANEL, g);
            const int32_t rest = m->inputs - g * STENO_TERNARY_GROUP;
            // Codes after the last input are multiplied by zeros.
            for (int32_t k = 0; k < STENO_TERNARY_GROUP; k++) {
                const uint8_t code = (uint8_t)(k < rest ? (from[k] + 1) << code_shift(k) : 0);
                uint8_t *byte = to + code_byte(row, k);
                *byte = code_shift(k) == 0 ? code : *byte | code;
            }
            const float scale = scales[(int64_t)i * groups + g];
            panel_scales(m, row / PANEL, g)[row % PANEL] = isfinite(scale) ? scale : NAN;
            finite = finite && isfinite(scale);
        }
        damaged += !finite;
    }
    return damaged;
}

static void get_row_ternary(const steno_matrix *m, int32_t row, float *values) {
    for (int32_t k = 0; k < m->inputs; k++) {
        const int32_t g = k / STENO_TERNARY_GROUP, place = k % STENO_TERNARY_GROUP;
        const int code = panel_codes(m, row / PANEL, g)[code_byte(row, place)] >> code_shift(place) & 3;
        values[k] = (float)(code - 1) * panel_scales(m, row / PANEL, g)[row % PANEL];
    }
}

// The workspace: activations [rows, stride], per-row scales [rows], and −Σ x of each group [rows, groups].
typedef struct {
    int8_t *activations;
    float *scales;
    int32_t *starts;
    int64_t stride;
} workspace_of_codes;

static int64_t layout_codes_workspace(const steno_matrix *m, int32_t rows, char *base, workspace_of_codes *w) {
    // An odd number of cache lines: the same group of many rows would not fit into a few sets of the L1 cache.
    const int64_t stride = m->padded_inputs + STENO_ALIGNMENT;
    const int64_t scales = rows * stride;
    const int64_t starts = scales + steno_round_up((int64_t)rows * (int64_t)sizeof(float), STENO_ALIGNMENT);
    if (base) {
        *w = (workspace_of_codes){
            (int8_t *)base, (float *)(void *)(base + scales), (int32_t *)(void *)(base + starts), stride};
    }
    return steno_round_up(starts + (int64_t)rows * ternary_groups(m) * (int64_t)sizeof(int32_t), STENO_ALIGNMENT);
}

static int64_t workspace_ternary(const steno_matrix *m, int32_t rows) {
    return layout_codes_workspace(m, rows, NULL, NULL);
}

static void prepare_ternary(const steno_product *p, int32_t row, int32_t row_end) {
    const steno_matrix *m = p->matrix;
    const int32_t groups = ternary_groups(m);
    workspace_of_codes to;
    layout_codes_workspace(m, p->rows, p->workspace, &to);
    for (int32_t i = row; i < row_end; i++) {
        int8_t *x = to.activations + i * to.stride;
        to.scales[i] = quantize_into(1, 0, p->x + i * p->x_stride, m->inputs, m->padded_inputs, x);
        for (int32_t g = 0; g < groups; g++, x += STENO_TERNARY_GROUP) {
            int32_t sum = 0;
            for (int32_t k = 0; k < STENO_TERNARY_GROUP; k++) sum += x[k];
            to.starts[(int64_t)i * groups + g] = -sum;
        }
    }
}

#ifdef SHORT_SUMS
typedef short_sums partial;

INLINE partial begin(int32_t start) {
    const vi low = (vi)(start & 0xffff);
    partial sums;
    memcpy(&sums, &low, sizeof(sums));
    return sums;
}

INLINE vi whole(partial sums) {
    vi both;
    memcpy(&both, &sums, sizeof(both));
    return (both << 16 >> 16) + (both >> 16);
}

#elif !defined(OWN_PARTIAL)
typedef vi partial;

INLINE partial begin(int32_t start) { return (vi)start; }

INLINE vi whole(partial sums) { return sums; }
#endif

#ifndef OWN_TILE_TERNARY
// Adds the scaled sums of a group to those of a tile of rows, [rows][PANEL]. The codes are packed, or one in each byte.
INLINE void tile_ternary(
    const int rows, const int packed, const int8_t *x, int64_t x_stride, const int32_t *starts, int64_t starts_stride,
    const uint8_t *w, const float *scales, float *totals) {
    partial a[TILE_ROWS], b[TILE_ROWS];
    for (int i = 0; i < rows; i++) a[i] = b[i] = begin(starts[i * starts_stride]);
    const int together = packed ? 4 : 1;
    tile_rows from = rows_of_tile(rows, x, x_stride);
    for (int k = 0; k < STENO_TERNARY_GROUP / CODE_GROUP; k += together, w += PANEL * CODE_GROUP) {
        const codes pa = load_codes(w), pb = load_codes(w + LANES * CODE_GROUP);
        if (packed) prefetch_codes(w, PANEL * CODE_GROUP);
#pragma clang loop unroll(full)
        for (int j = 0; j < together; j++) {
            const codes ca = packed ? quarter(pa, j) : pa, cb = packed ? quarter(pb, j) : pb;
#pragma clang loop unroll(full)
            for (int i = 0; i < rows; i++) {
                int32_t word;
                memcpy(&word, (const int8_t *)tile_row(&from, i) + j * CODE_GROUP, sizeof(word));
                a[i] = add_codes(a[i], word, ca);
                b[i] = add_codes(b[i], word, cb);
            }
            // Without this the compiler loads the activations of all four first, for which there are not enough registers.
            if (packed) __asm__ volatile("" : : : "memory");
        }
        advance_rows(&from, rows, together * CODE_GROUP);
    }
    for (int i = 0; i < rows; i++) {
        float *t = totals + i * PANEL;
        store(t, fma_(__builtin_convertvector(whole(a[i]), vf), load(scales), load(t)));
        store(t + LANES, fma_(__builtin_convertvector(whole(b[i]), vf), load(scales + LANES), load(t + LANES)));
    }
}
#endif

static void tile_packed_any(
    int rows, const int8_t *x, int64_t x_stride, const int32_t *starts, int64_t starts_stride, const uint8_t *w,
    const float *scales, float *totals) {
    TILES(tile_ternary, rows, 1, x, x_stride, starts, starts_stride, w, scales, totals)
}

static void tile_unpacked(
    const int8_t *x, int64_t x_stride, const int32_t *starts, int64_t starts_stride, const uint8_t *w,
    const float *scales, float *totals) {
    tile_ternary(TILE_ROWS, 0, x, x_stride, starts, starts_stride, w, scales, totals);
}

// The codes of a group in a panel less `zero`, one in each byte.
INLINE void unpack_codes(const uint8_t *w, const int8_t zero, void *unpacked) {
    for (int k = 0; k < TERNARY_PANEL / 4; k += PANEL * CODE_GROUP) {
        for (int at = k; at < k + PANEL * CODE_GROUP; at += VECTOR_BYTES) {
            const codes packed = load_codes(w + at);
            for (int j = 0; j < 4; j++) {
                const codes c = quarter(packed, j);
                bytes numbers;
                memcpy(&numbers, &c, sizeof(numbers));
                numbers -= zero;
                memcpy((uint8_t *)unpacked + 3 * k + at + j * PANEL * CODE_GROUP, &numbers, sizeof(numbers));
            }
        }
        prefetch_codes(w + k, PANEL * CODE_GROUP);
    }
}

// Scales the totals of rows from `row` on by the rows' own scales, and writes the results.
INLINE void finish_ternary(
    const steno_product *p, int32_t row, int32_t count, int32_t panel, const float *row_scales, float *totals) {
    for (int32_t i = 0; i < count; i++, totals += PANEL) {
        const vf scale = splat(row_scales[row + i]);
        store(totals, load(totals) * scale);
        store(totals + LANES, load(totals + LANES) * scale);
        finish(p, row + i, panel, totals, 1);
    }
}

static void multiply_ternary(const steno_product *p, int32_t row, int32_t row_end, int32_t panel, int32_t panel_end) {
    const steno_matrix *m = p->matrix;
    const int32_t groups = ternary_groups(m);
    workspace_of_codes from;
    layout_codes_workspace(m, p->rows, p->workspace, &from);
    float totals[TERNARY_ROWS * PANEL];
    uint8_t unpacked[TERNARY_PANEL] __attribute__((aligned(STENO_ALIGNMENT)));
    for (int32_t n = panel; n < panel_end; n++) {
        for (int32_t start = row; start < row_end; start += TERNARY_ROWS) {
            const int32_t count = row_end - start < TERNARY_ROWS ? row_end - start : TERNARY_ROWS;
            prefetch_results(p, start, count, n);
            memset(totals, 0, (size_t)count * PANEL * sizeof(float));
            for (int32_t g = 0; g < groups; g++) {
                const uint8_t *w = panel_codes(m, n, g);
                const float *scales = panel_scales(m, n, g);
                const int8_t *x = from.activations + start * from.stride + g * STENO_TERNARY_GROUP;
                const int32_t *starts = from.starts + (int64_t)start * groups + g;
                int32_t i = 0;
                // Several tiles share the unpacked codes; a single one unpacks them in registers.
                if (count >= 2 * TILE_ROWS) {
                    unpack_codes(w, 0, unpacked);
                    for (; i + TILE_ROWS <= count; i += TILE_ROWS) {
                        tile_unpacked(
                            x + i * from.stride, from.stride, starts + (int64_t)i * groups, groups, unpacked, scales,
                            totals + i * PANEL);
                    }
                }
                for (; i < count; i += TILE_ROWS) {
                    const int rows = count - i < TILE_ROWS ? count - i : TILE_ROWS;
                    tile_packed_any(
                        rows, x + i * from.stride, from.stride, starts + (int64_t)i * groups, groups, w, scales,
                        totals + i * PANEL);
                }
            }
            finish_ternary(p, start, count, n, from.scales, totals);
        }
    }
}

#ifndef OWN_PRODUCTS_TERNARY
static const steno_product_kernel products_ternary[] = {
    {.workspace = workspace_ternary, .prepare = prepare_ternary, .multiply = multiply_ternary},
};
#endif
