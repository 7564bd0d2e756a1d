// Attention in whole numbers of one instruction set: bytes of keys and values, sums in 32 bits, softmax in floats.
//
// A decoder step has few queries for the keys and values of a window, and waits for memory as long as it computes. So
// that it does both at once, a single tile of queries fetches the block after the one at work.
//
// A query and a key have one unit each, as the rows of a product have; a value has one for its channel and block of
// positions. Weights are rounded to WEIGHT_TOP steps of their block's largest, so that a block far below the peak keeps
// its precision, and they are divided by the sum of what they were rounded to (after Zhang et al. 2025, SageAttention).

enum {
    QUERIES8 = 2 * TILE_ROWS,
    WEIGHT_TOP = 255,
    // What is added to a weight so that it can be stored where bytes are signed; the values' sums take it off again.
    WEIGHT_OFFSET = (activation)-1 < 0 && sizeof(activation) == 1 ? -128 : 0,
};

typedef struct {
    float scores[QUERIES8 * STENO_BLOCK];
    float sums[QUERIES8 * STENO_HEAD];
    // one for each query; the vectors at the end may be filled up
    float units[QUERIES8], weight[QUERIES8 + LANES], peak[QUERIES8 + LANES], most[QUERIES8 + LANES];
    float shrink[QUERIES8 + LANES], grow[QUERIES8 + LANES], total[QUERIES8 + LANES];
    activation queries[QUERIES8 * STENO_HEAD];
    activation weights[QUERIES8 * STENO_BLOCK];
} attention8_scratch;

// 2^x for −126 ≤ x ≤ 126, to 1e-4: a polynomial on [−1/2, 1/2], and the whole part added to the exponent. What is less
// than −126 counts as −126.
INLINE vf exp2_(vf x) {
    const vf magic = splat(12582912.0f); // 1.5 · 2^23: adding it leaves the nearest whole number in the low bits
    x = max_(x, splat(-126.0f));
    const vf shifted = x + magic;
    const vf f = x - (shifted - magic);
    vf p = fma_(splat(0.0550089255f), f, splat(0.2422109693f));
    p = fma_(p, f, splat(0.6932829022f));
    p = fma_(p, f, splat(1.0f));
    vi exponent, bits;
    memcpy(&exponent, &shifted, sizeof(exponent));
    memcpy(&bits, &p, sizeof(bits));
    bits += exponent << 23;
    memcpy(&p, &bits, sizeof(p));
    return p;
}

// Quantises the keys of one block, each with a unit of its own.
static void pack_keys8(steno_memory *m, int32_t head, int32_t first, int32_t count, const float *keys, int64_t stride) {
    int8_t *packed = (int8_t *)m->keys + ((int64_t)head * m->capacity + first) * STENO_HEAD;
    float *units = m->key_units + (int64_t)head * m->capacity + first;
    int32_t *sums = m->key_sums + (int64_t)head * m->capacity + first;
    for (int32_t p = 0; p < count; p++) {
        const float *key = keys + p * stride;
        vf most = splat(0);
        for (int c = 0; c < STENO_HEAD; c += LANES) most = max_(most, __builtin_elementwise_abs(load(key + c)));
        const float peak = max_of(most), scale = peak > 0 ? 127.0f / peak : 1.0f;
        int8_t bytes[STENO_HEAD];
        vi sum = (vi)0;
        for (int c = 0; c < STENO_HEAD; c += LANES) {
            const vi whole = __builtin_convertvector(__builtin_elementwise_roundeven(load(key + c) * splat(scale)), vi);
            sum += whole;
            *(bytes_any *)(bytes + c) = __builtin_convertvector(whole, bytes_of_vector);
        }
        units[p] = 1.0f / scale;
        sums[p] = whole_sum_of(sum);
        int8_t *to = packed + (int64_t)(p / PANEL) * PANEL * STENO_HEAD + p % PANEL * GROUP;
        for (int c = 0; c < STENO_HEAD; c += GROUP) memcpy(to + c * PANEL, bytes + c, GROUP);
    }
}

// Stores a vector of groups, whose bytes stand in words of four.
INLINE void store_groups(int8_t *to, const vi words[2]) {
    if (GROUP == 2) {
        *(shorts_any *)to = __builtin_convertvector(words[0], shorts_of_vector);
    } else if (GROUP == 4) {
        *(vi_any *)to = words[0];
    } else {
        for (int i = 0; i < LANES; i++) {
            const int32_t pair[2] = {words[0][i], words[1][i]};
            memcpy(to + i * GROUP, pair, sizeof(pair));
        }
    }
}

// Quantises the values of one block; past its last position they are zeros.
static void pack_values8(
    steno_memory *m, int32_t head, int32_t first, int32_t count, const float *values, int64_t stride) {
    const int64_t block = ((int64_t)head * m->capacity + first) / STENO_BLOCK * STENO_HEAD;
    int8_t *packed = (int8_t *)m->values + (int64_t)head * m->capacity * STENO_HEAD + (int64_t)first * PANEL;
    for (int c = 0; c < STENO_HEAD; c += LANES) {
        vf most = splat(0);
        for (int32_t p = 0; p < count; p++) most = max_(most, __builtin_elementwise_abs(load(values + p * stride + c)));
        const vi some = most > splat(0);
        vf peak = most;
        for (int i = 0; i < LANES; i++) if (!some[i]) peak[i] = 127.0f;
        const vf scale = splat(127.0f) / peak;
        store(m->value_units + block + c, peak * splat(1.0f / 127.0f));
        vi sum = (vi)0;
        int8_t *to = packed + (int64_t)(c / PANEL) * m->capacity * PANEL + c % PANEL * GROUP;
        for (int32_t p = 0; p < count; p += GROUP) {
            vi words[2] = {(vi)0, (vi)0};
            for (int32_t j = 0; j < GROUP && p + j < count; j++) {
                const vf scaled = load(values + (p + j) * stride + c) * scale;
                const vi whole = __builtin_convertvector(__builtin_elementwise_roundeven(scaled), vi);
                words[j / 4] |= (whole & 255) << (8 * (j % 4));
                sum += whole;
            }
            store_groups(to + (int64_t)p * PANEL, words);
        }
        *(vi_any *)(m->value_sums + block + c) = sum;
    }
}

static void pack8(
    steno_memory *m, int32_t head, int32_t first, int32_t count, const float *keys, const float *values, int64_t stride) {
    pack_keys8(m, head, first, count, keys, stride);
    pack_values8(m, head, first, count, values, stride);
}

// What the scores of a panel of keys are made with: score = (sum − offset) · unit · the query's unit.
typedef struct {
    const int8_t *keys;
    int64_t ahead; // from these keys to those of the next block, where they are worth fetching
    vi offset[2];
    vf unit[2];
} key_panel8;

INLINE void score_tile8(
    const int rows, const activation *queries, const float *units, const key_panel8 *k, float *scores, int64_t stride) {
    int32_t whole[TILE_ROWS * PANEL];
    tile_int8(rows, queries, STENO_HEAD, k->keys, STENO_HEAD / GROUP, k->ahead, whole);
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; i++) {
        const vf row_unit = splat(units[i]);
        for (int h = 0; h < 2; h++) {
            const vi sum = *(const vi_any *)(whole + i * PANEL + h * LANES) - k->offset[h];
            store(scores + i * stride + h * LANES, __builtin_convertvector(sum, vf) * row_unit * k->unit[h]);
        }
    }
}

static void score_tile8_any(
    int rows, const activation *queries, const float *units, const key_panel8 *k, float *scores, int64_t stride) {
    TILES(score_tile8, rows, queries, units, k, scores, stride)
}

// scores[i][p] = factor · q[i] · K[p], for positions [first, first + count); rows of scores have whole panels.
static void score_block8(
    const steno_memory *m, int32_t head, const activation *queries, const float *units, int rows, int32_t first,
    int32_t count, float factor, float *scores, int64_t scores_stride) {
    const int64_t at = (int64_t)head * m->capacity + first;
    for (int32_t p = 0; p < count; p += PANEL) {
        key_panel8 panel = {
            .keys = (const int8_t *)m->keys + (at + p) * STENO_HEAD, .ahead = rows <= TILE_ROWS ? STENO_BLOCK * STENO_HEAD : 0};
        for (int h = 0; h < 2; h++) {
            panel.offset[h] = *(const vi_any *)(m->key_sums + at + p + h * LANES) * ACTIVATION_OFFSET;
            panel.unit[h] = load(m->key_units + at + p + h * LANES) * splat(factor);
        }
        for (int i = 0; i < rows; i += TILE_ROWS) {
            const int n = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
            score_tile8_any(
                n, queries + i * STENO_HEAD, units + i, &panel, scores + i * scores_stride + p, scores_stride);
        }
    }
}

// Each row's largest score of the block; what is past its end counts as nothing.
static void find_peaks8(attention8_scratch *s, int rows, int32_t count) {
    const int32_t padded = (count + LANES - 1) / LANES * LANES;
    for (int i = 0; i < rows; i++) {
        float *row = s->scores + i * STENO_BLOCK;
        for (int32_t p = count; p < padded; p++) row[p] = -FLT_MAX;
        vf most = load(row);
        for (int32_t p = LANES; p < padded; p += LANES) most = max_(most, load(row + p));
        s->most[i] = max_of(most);
    }
}

// Scores to weights: WEIGHT_TOP times 2^(score − the block's peak), in whole numbers; and their sum.
static void weigh8(attention8_scratch *s, int row, int32_t count) {
    const int32_t padded = (count + LANES - 1) / LANES * LANES;
    const float *scores = s->scores + row * STENO_BLOCK;
    activation *weights = s->weights + row * STENO_BLOCK;
    const vf peak = splat(s->most[row]);
    vi total = (vi)0;
    int32_t p = 0;
    for (; p < padded; p += LANES) {
        const vf weight = fma_(exp2_(load(scores + p) - peak), splat(WEIGHT_TOP), splat(0.5f));
        const vi whole = __builtin_convertvector(weight, vi);
        *(activations_any *)(weights + p) = __builtin_convertvector(whole + WEIGHT_OFFSET, activations);
        total += whole;
    }
    s->total[row] = (float)whole_sum_of(total);
}

// What a panel of values adds: (sum − offset) · unit · the row's scale.
typedef struct {
    const int8_t *values;
    int64_t groups;
    int64_t ahead; // as for keys
    vi offset[2];
    vf unit[2];
} value_panel8;

INLINE void add_tile8(const int rows, const attention8_scratch *s, int row, const value_panel8 *v, float *sums) {
    int32_t whole[TILE_ROWS * PANEL];
    tile_int8(rows, s->weights + row * STENO_BLOCK, STENO_BLOCK, v->values, v->groups, v->ahead, whole);
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; i++) {
        const vf grow = splat(s->grow[row + i]), shrink = splat(s->shrink[row + i]);
        for (int h = 0; h < 2; h++) {
            float *to = sums + i * STENO_HEAD + h * LANES;
            const vi sum = *(const vi_any *)(whole + i * PANEL + h * LANES) - v->offset[h];
            store(to, fma_(load(to), shrink, __builtin_convertvector(sum, vf) * (v->unit[h] * grow)));
        }
    }
}

static void add_tile8_any(int rows, const attention8_scratch *s, int row, const value_panel8 *v, float *sums) {
    TILES(add_tile8, rows, s, row, v, sums)
}

// Adds the block's weighted values to the sums, both scaled to the new peak (Milakov and Gimelshein 2018).
static void add_block8(
    attention8_scratch *s, const steno_memory *m, int32_t head, int rows, int32_t first, int32_t count) {
    find_peaks8(s, rows, count);
    for (int i = 0; i < rows; i++) weigh8(s, i, count);
    for (int i = 0; i < rows; i += LANES) {
        const vf peak = max_(load(s->peak + i), load(s->most + i));
        const vf shrink = exp2_(load(s->peak + i) - peak), grow = exp2_(load(s->most + i) - peak);
        store(s->peak + i, peak);
        store(s->shrink + i, shrink);
        store(s->grow + i, grow);
        store(s->weight + i, fma_(load(s->weight + i), shrink, load(s->total + i) * grow));
    }
    const int64_t block = ((int64_t)head * m->capacity + first) / STENO_BLOCK * STENO_HEAD;
    const int32_t groups = (count + GROUP - 1) / GROUP;
    for (int c = 0; c < STENO_HEAD; c += PANEL) {
        value_panel8 panel = {
            .values = (const int8_t *)m->values + ((int64_t)head * STENO_HEAD + c) * m->capacity + (int64_t)first * PANEL,
            .groups = groups,
            .ahead = rows <= TILE_ROWS ? STENO_BLOCK * PANEL : 0};
        for (int h = 0; h < 2; h++) {
            panel.offset[h] = *(const vi_any *)(m->value_sums + block + c + h * LANES) * WEIGHT_OFFSET;
            panel.unit[h] = load(m->value_units + block + c + h * LANES);
        }
        for (int i = 0; i < rows; i += TILE_ROWS) {
            const int n = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
            add_tile8_any(n, s, i, &panel, s->sums + i * STENO_HEAD + c);
        }
    }
}

// The next queries of a head, from row `start` on.
static void quantize_queries8(
    attention8_scratch *s, int32_t head, const float *q, int64_t q_stride, int32_t start, int rows) {
    for (int i = 0; i < rows; i++) {
        const float *query = q + (start + i) * q_stride + head * STENO_HEAD;
        s->units[i] = quantize(query, STENO_HEAD, STENO_HEAD, s->queries + i * STENO_HEAD);
    }
}

static void attend8(
    const steno_memory *m, int32_t head, const float *q, int64_t q_stride, int32_t row, int32_t row_end, float *out,
    int64_t out_stride) {
    attention8_scratch s;
    const float factor = 0.125f * 1.44269504088896341f; // powers of two are cheaper than powers of e
    for (int32_t start = row; start < row_end; start += QUERIES8) {
        const int rows = row_end - start < QUERIES8 ? row_end - start : QUERIES8;
        quantize_queries8(&s, head, q, q_stride, start, rows);
        memset(s.sums, 0, (size_t)rows * STENO_HEAD * sizeof(float));
        for (int i = 0; i < QUERIES8 + LANES; i++) {
            s.weight[i] = s.total[i] = s.most[i] = 0;
            s.peak[i] = -1e30f;
        }
        for (int32_t p = 0; p < m->positions; p += STENO_BLOCK) {
            const int32_t count = m->positions - p < STENO_BLOCK ? m->positions - p : STENO_BLOCK;
            score_block8(m, head, s.queries, s.units, rows, p, count, factor, s.scores, STENO_BLOCK);
            add_block8(&s, m, head, rows, p, count);
        }
        for (int i = 0; i < rows; i++) {
            const vf share = splat(1.0f / s.weight[i]);
            float *to = out + (start + i) * out_stride + head * STENO_HEAD;
            for (int c = 0; c < STENO_HEAD; c += LANES) store(to + c, load(s.sums + i * STENO_HEAD + c) * share);
        }
    }
}

static void scores8(
    const steno_memory *m, int32_t head, const float *q, int64_t q_stride, int32_t rows, float *scores,
    int64_t scores_stride) {
    attention8_scratch s;
    for (int32_t start = 0; start < rows; start += QUERIES8) {
        const int n = rows - start < QUERIES8 ? rows - start : QUERIES8;
        quantize_queries8(&s, head, q, q_stride, start, n);
        for (int32_t p = 0; p < m->positions; p += STENO_BLOCK) {
            const int32_t count = m->positions - p < STENO_BLOCK ? m->positions - p : STENO_BLOCK;
            score_block8(m, head, s.queries, s.units, n, p, count, 0.125f, s.scores, STENO_BLOCK);
            for (int i = 0; i < n; i++) {
                memcpy(scores + (start + i) * scores_stride + p, s.scores + i * STENO_BLOCK, (size_t)count * sizeof(float));
            }
        }
    }
}
