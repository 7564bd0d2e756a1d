// The int8 matrix of AVX2, and its product.
//
// vpmaddubsw multiplies unsigned by signed bytes and adds two products in 16 bits, where four products of small weights
// fit as well. So a block of eight inputs takes two vpmaddubsw, whose results are added before they are widened to 32
// bits (vpmaddwd with ones): three multiplications for 64 products, where widening every byte takes four. Blocks of
// larger weights are marked when the rows are set, about one in twenty in a Whisper encoder; each of their halves is
// widened separately. Sums are exact either way. Activations are stored in one of two ways, a tile of rows at a time:
//
// Signed. The unsigned bytes are the weights' magnitudes; where a weight is negative, the activation's bits are inverted:
// |w| · ~x = w · x − |w|. The sum of a row's negative weights corrects its result.
//
// Raised by 22, if none is below −22, as after GELU, whose results are above −0.17. They are then unsigned and need no
// inversion; 22 times the sum of the weights is subtracted.

enum {
    BLOCK_INPUTS = 8, // two groups of four inputs
    BLOCK_BYTES = LANES * BLOCK_INPUTS,
    HALVES = PANEL / LANES, // a panel's halves are stored one after the other
    RAISE = 22,
    // The largest sums of four weights whose products fit in 16 bits: of the magnitudes, times 128; of the positive, and
    // of the negative weights, times 127 + RAISE.
    MAGNITUDES = 256,
    RAISED_WEIGHTS = 219,
    TILE8_ROWS = 8, // one sum for each, and the groups of a block, fill the registers
};

// The number of words that mark the blocks of half a panel; the marks for raised activations follow all others.
INLINE int64_t mark_words(const steno_matrix *m) { return (m->padded_inputs / BLOCK_INPUTS + 63) / 64; }

INLINE uint64_t *marks(const steno_matrix *m, int raised, int64_t half) {
    return m->large + ((int64_t)raised * m->panels * HALVES + half) * mark_words(m);
}

INLINE int32_t *corrections(const steno_matrix *m, int raised, int64_t half) {
    return m->sums + ((int64_t)raised * m->panels * HALVES + half) * LANES;
}

// Weights are [panels][2][padded_inputs / 8][2][8 outputs][4] bytes.
static void layout_int8(steno_matrix *m, steno_arena *arena) {
    layout_rows8(m, arena, BLOCK_INPUTS, 2);
    m->large = steno_arena_take(arena, 2 * (int64_t)m->panels * HALVES, mark_words(m), sizeof(uint64_t));
}

// The start of one row's weights: number k is at [place_int8(k)].
INLINE int8_t *row_int8(const steno_matrix *m, int32_t row) {
    return (int8_t *)m->weights + (int64_t)(row / LANES) * m->padded_inputs * LANES + row % LANES * 4;
}

INLINE int64_t place_int8(int64_t k) { return k / 4 * 4 * LANES + k % 4; }

INLINE int32_t summand_int8(int8_t weight) { return weight < 0 ? weight : 0; }

// Four weights of each of eight outputs; their magnitudes; all ones where one is negative.
typedef struct { __m256i weights, magnitudes, negative; } group;

INLINE group load_group(const int8_t *w) {
    const __m256i weights = _mm256_load_si256((const __m256i *)w);
    return (group){weights, _mm256_abs_epi8(weights), _mm256_cmpgt_epi8(_mm256_setzero_si256(), weights)};
}

// Marks the blocks of the rows' weights whose products cannot all be added in 16 bits, and sums what corrects the results
// of raised activations: in marked blocks they are lowered again, and treated like signed ones.
static void rows_set_int8(steno_matrix *m, int32_t first, int32_t count) {
    const int32_t blocks = m->padded_inputs / BLOCK_INPUTS;
    const __m256i ones = _mm256_set1_epi8(1);
    for (int32_t half = first / LANES; half * LANES < first + count; half++) {
        const int8_t *w = (const int8_t *)m->weights + (int64_t)half * blocks * BLOCK_BYTES;
        memset(marks(m, 0, half), 0, (size_t)mark_words(m) * sizeof(uint64_t));
        memset(marks(m, 1, half), 0, (size_t)mark_words(m) * sizeof(uint64_t));
        __m256i correction = _mm256_setzero_si256();
        for (int32_t b = 0; b < blocks; b++, w += BLOCK_BYTES) {
            const group p = load_group(w), q = load_group(w + BLOCK_BYTES / 2);
            const __m256i magnitudes = _mm256_add_epi16(
                _mm256_maddubs_epi16(p.magnitudes, ones), _mm256_maddubs_epi16(q.magnitudes, ones));
            const __m256i sums = _mm256_add_epi16(
                _mm256_maddubs_epi16(ones, p.weights), _mm256_maddubs_epi16(ones, q.weights));
            // (|w| + w) / 2 is w where it is positive; twice the sum of those, and of the magnitudes of the others.
            const __m256i positive = _mm256_add_epi16(magnitudes, sums), negative = _mm256_sub_epi16(magnitudes, sums);
            const __m256i limit = _mm256_set1_epi16(2 * RAISED_WEIGHTS);
            const int is_large = _mm256_movemask_epi8(_mm256_cmpgt_epi16(magnitudes, _mm256_set1_epi16(MAGNITUDES)));
            const int is_large_raised = _mm256_movemask_epi8(_mm256_or_si256(
                _mm256_cmpgt_epi16(positive, limit), _mm256_cmpgt_epi16(negative, limit)));
            if (is_large) marks(m, 0, half)[b / 64] |= (uint64_t)1 << b % 64;
            if (is_large_raised) marks(m, 1, half)[b / 64] |= (uint64_t)1 << b % 64;
            const __m256i raised = _mm256_mullo_epi16(sums, _mm256_set1_epi16(RAISE));
            const __m256i each = is_large_raised ? _mm256_srai_epi16(_mm256_sub_epi16(sums, magnitudes), 1) : raised;
            correction = _mm256_add_epi32(correction, _mm256_madd_epi16(each, _mm256_set1_epi16(1)));
        }
        _mm256_store_si256((__m256i *)corrections(m, 1, half), correction);
    }
}

// Four activations times a group, two products in each 16 bits.
INLINE __m256i products(const int raised, const int large, const int8_t *x, group g) {
    int32_t word;
    memcpy(&word, x, sizeof(word));
    __m256i four = _mm256_set1_epi32(word);
    if (raised && !large) return _mm256_maddubs_epi16(four, g.weights);
    if (raised) four = _mm256_sub_epi8(four, _mm256_set1_epi8(RAISE));
    return _mm256_maddubs_epi16(g.magnitudes, _mm256_xor_si256(four, g.negative));
}

INLINE __m256i add_widened(__m256i sum, __m256i products) {
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(products, _mm256_set1_epi16(1)));
    // Without this the compiler loads the activations of all rows first, for which there are not enough registers.
    __asm__ volatile("" : "+x"(sum) : : "memory");
    return sum;
}

// Adds the products of one block to the sums of a tile of rows.
INLINE void add_products(
    const int rows, const int raised, const int large, const tile_rows *x, const int8_t *w, __m256i *sums) {
    const group a = load_group(w), b = load_group(w + BLOCK_BYTES / 2);
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; i++) {
        const int8_t *own = tile_row(x, i);
        const __m256i p = products(raised, large, own, a);
        const __m256i q = products(raised, large, own + BLOCK_INPUTS / 2, b);
        sums[i] = large ? add_widened(add_widened(sums[i], p), q) : add_widened(sums[i], _mm256_add_epi16(p, q));
    }
}

// The sums of a tile of rows and half a panel, rows PANEL apart. If `ahead` is not 0, the weights at that offset are
// prefetched.
INLINE void tile_half(
    const int rows, const int raised, const int8_t *x, int64_t x_stride, const int8_t *w, const uint64_t *large,
    int64_t blocks, int64_t ahead, int32_t *whole) {
    __m256i sums[TILE8_ROWS];
    for (int i = 0; i < rows; i++) sums[i] = _mm256_setzero_si256();
    tile_rows from = rows_of_tile(rows, x, x_stride);
    for (int64_t b = 0; b < blocks; b++, w += BLOCK_BYTES) {
        if (ahead) __builtin_prefetch(w + ahead, 0, 2);
        // With one row or two, testing a mark takes longer than the multiplication it saves.
        if (rows <= 2 || large[b / 64] >> b % 64 & 1) add_products(rows, raised, 1, &from, w, sums);
        else add_products(rows, raised, 0, &from, w, sums);
        advance_rows(&from, rows, BLOCK_INPUTS);
    }
    for (int i = 0; i < rows; i++) _mm256_storeu_si256((__m256i *)(whole + i * PANEL), sums[i]);
}

static void tile_half_any(
    int rows, int raised, const int8_t *x, int64_t x_stride, const int8_t *w, const uint64_t *large, int64_t blocks,
    int64_t ahead, int32_t *whole) {
#define TILE_HALF(n, raised) tile_half(n, raised, x, x_stride, w, large, blocks, ahead, whole)
    // Only whole tiles are raised.
    if (raised) return TILE_HALF(TILE8_ROWS, 1);
    switch (rows) {
    case 1: return TILE_HALF(1, 0);
    case 2: return TILE_HALF(2, 0);
    case 3: return TILE_HALF(3, 0);
    case 4: return TILE_HALF(4, 0);
    case 5: return TILE_HALF(5, 0);
    case 6: return TILE_HALF(6, 0);
    case 7: return TILE_HALF(7, 0);
    default: return TILE_HALF(TILE8_ROWS, 0);
    }
#undef TILE_HALF
}

// The workspace: activations [rows, padded_inputs], per-row scales [rows], and whether a tile's are raised.
typedef struct {
    int8_t *activations;
    float *scales;
    bool *raised;
} workspace8;

static int64_t layout_workspace(const steno_matrix *m, int32_t rows, char *base, workspace8 *w) {
    const int64_t scales = steno_round_up((int64_t)rows * m->padded_inputs, STENO_ALIGNMENT);
    const int64_t raised = scales + (int64_t)rows * (int64_t)sizeof(float);
    if (base) *w = (workspace8){(int8_t *)base, (float *)(base + scales), (bool *)(base + raised)};
    return steno_round_up(raised + rows / TILE8_ROWS + 1, STENO_ALIGNMENT);
}

static int64_t workspace_int8(const steno_matrix *m, int32_t rows) { return layout_workspace(m, rows, NULL, NULL); }

// Raises the activations of a tile, if none is too negative; returns whether it did.
static bool raise(int8_t *activations, int64_t count) {
    int8_t least = 0;
    for (int64_t k = 0; k < count; k++) least = activations[k] < least ? activations[k] : least;
    if (least < -RAISE) return false;
    for (int64_t k = 0; k < count; k++) activations[k] = (int8_t)(activations[k] + RAISE);
    return true;
}

static void prepare_int8(const steno_product *p, int32_t row, int32_t row_end) {
    const steno_matrix *m = p->matrix;
    workspace8 to;
    layout_workspace(m, p->rows, p->workspace, &to);
    for (int32_t i = row; i < row_end; i++) {
        int8_t *activations = to.activations + (int64_t)i * m->padded_inputs;
        to.scales[i] = quantize_into(1, 0, p->x + i * p->x_stride, m->inputs, m->padded_inputs, activations);
    }
    for (int32_t i = row; i < row_end; i += TILE8_ROWS) {
        int8_t *activations = to.activations + (int64_t)i * m->padded_inputs;
        to.raised[i / TILE8_ROWS] =
            row_end - i >= TILE8_ROWS && raise(activations, (int64_t)TILE8_ROWS * m->padded_inputs);
    }
}

static void multiply_int8(const steno_product *p, int32_t row, int32_t row_end, int32_t panel, int32_t panel_end) {
    const steno_matrix *m = p->matrix;
    const int64_t blocks = m->padded_inputs / BLOCK_INPUTS, half_bytes = blocks * BLOCK_BYTES;
    workspace8 from;
    layout_workspace(m, p->rows, p->workspace, &from);
    // Several tiles of rows share a panel. Only the first waits for its weights, so it prefetches the next panel's.
    const int64_t next = row_end - row > TILE8_ROWS ? HALVES * half_bytes : 0;
    int32_t whole[TILE8_ROWS * PANEL];
    float sums[PANEL];
    for (int32_t n = panel; n < panel_end; n++) {
        const int8_t *w = (const int8_t *)m->weights + n * HALVES * half_bytes;
        for (int32_t i = row; i < row_end; i += TILE8_ROWS) {
            const int rows = row_end - i < TILE8_ROWS ? row_end - i : TILE8_ROWS;
            const int8_t *x = from.activations + (int64_t)i * m->padded_inputs;
            const bool raised = from.raised[i / TILE8_ROWS];
            prefetch_results(p, i, rows, n);
            for (int h = 0; h < HALVES; h++) {
                tile_half_any(
                    rows, raised, x, m->padded_inputs, w + h * half_bytes, marks(m, raised, n * HALVES + h), blocks,
                    i == row ? next : 0, whole + h * LANES);
            }
            for (int j = 0; j < rows; j++) {
                const vf scale = splat(from.scales[i + j]);
                for (int h = 0; h < HALVES; h++) {
                    const vi correction = *(const vi_any *)corrections(m, raised, n * HALVES + h);
                    const vi total = *(const vi_any *)(whole + j * PANEL + h * LANES) - correction;
                    const vf scales = load(m->scales + n * PANEL + h * LANES);
                    store(sums + h * LANES, __builtin_convertvector(total, vf) * scale * scales);
                }
                finish(p, i + j, n, sums, 1);
            }
        }
    }
}

static const steno_product_kernel products_int8[] = {
    {.workspace = workspace_int8, .prepare = prepare_int8, .multiply = multiply_int8},
};
