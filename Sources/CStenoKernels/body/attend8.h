// Int8 attention for one instruction set: keys and values in int8, sums in int32, softmax in float32.
//
// A decoder step has few queries for the cross-attention KV cache, and is bound by memory latency as much as by
// arithmetic. To overlap the two, a single tile of queries prefetches the block after the current one.
//
// Queries and keys have one scale each, like the rows of a product; values have one per channel and block of positions.
// Weights are rounded to WEIGHT_TOP steps of their block's largest, so that a block far below the peak keeps its
// precision, and are normalised by the sum of the rounded weights (after Zhang et al. 2025, SageAttention). As in
// attend.h, the head width is a constant for Whisper's 64.

enum {
    QUERIES8 = 2 * TILE_ROWS,
    WEIGHT_TOP = 255,
    // The offset added to a weight where bytes are signed; the sums of the values correct it.
    WEIGHT_OFFSET = (activation)-1 < 0 && sizeof(activation) == 1 ? -128 : 0,
};

typedef struct {
    float scores[QUERIES8 * STENO_BLOCK];
    // one for each query; the vectors at the end may be filled up
    float scales[QUERIES8], weight[QUERIES8 + LANES], peak[QUERIES8 + LANES], most[QUERIES8 + LANES];
    float shrink[QUERIES8 + LANES], grow[QUERIES8 + LANES], total[QUERIES8 + LANES];
    activation weights[QUERIES8 * STENO_BLOCK];
    activation queries[QUERIES8 * STENO_MAX_HEAD_WIDTH]; // [queries, width]
    float sums[QUERIES8 * STENO_MAX_HEAD_WIDTH];         // [queries, padded width]
} attention8_scratch;

// 2^x for −126 ≤ x ≤ 126, to 1e-4: a polynomial on [−1/2, 1/2], with the integer part added to the exponent. Smaller x
// count as −126.
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

// Quantises the keys of one block, each with its own scale; returns false if any of them is not finite.
INLINE bool pack_keys8(
    const int32_t width, steno_memory *m, int32_t head, int32_t first, int32_t count, const float *keys,
    int64_t stride) {
    int8_t *packed = (int8_t *)m->keys + ((int64_t)head * m->capacity + first) * width;
    float *scales = m->key_scales + (int64_t)head * m->capacity + first;
    int32_t *sums = m->key_sums + (int64_t)head * m->capacity + first;
    bool finite = true;
    for (int32_t p = 0; p < count; p++) {
        const float *key = keys + p * stride;
        const int32_t largest = largest_magnitude(key, width);
        int8_t bytes[STENO_MAX_HEAD_WIDTH] = {0};
        vi sum = (vi)0;
        scales[p] = NAN; // for a key that is not finite, so that its scores are not finite either
        if (largest >= NOT_FINITE) {
            finite = false;
        } else {
            const float steps = int8_steps(largest);
            for (int c = 0; c < width; c += LANES) {
                const vi whole = nearest(load(key + c) * splat(steps));
                sum += whole;
                *(bytes_any *)(bytes + c) = __builtin_convertvector(whole, bytes_of_vector);
            }
            scales[p] = 1.0f / steps;
        }
        sums[p] = whole_sum_of(sum);
        int8_t *to = packed + (int64_t)(p / PANEL) * PANEL * width + p % PANEL * GROUP;
        for (int c = 0; c < width; c += GROUP) memcpy(to + c * PANEL, bytes + c, GROUP);
    }
    return finite;
}

// Stores a vector of groups whose bytes are in 32-bit words.
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

// Keeps the lanes of a mask and zeroes the others.
INLINE vf only(vf x, vi mask) {
    vi bits;
    memcpy(&bits, &x, sizeof(bits));
    bits &= mask;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

// Quantises the values of one block, padded with zeros after the last position and the last channel.
INLINE void pack_values8(
    const int32_t width, steno_memory *m, int32_t head, int32_t first, int32_t count, const float *values,
    int64_t stride) {
    const int32_t channels = in_panels(width);
    const int64_t block = ((int64_t)head * m->capacity + first) / STENO_BLOCK * channels;
    int8_t *packed = (int8_t *)m->values + (int64_t)head * m->capacity * channels + (int64_t)first * PANEL;
    for (int c = 0; c < channels; c += LANES) {
        const int32_t there = c < width ? count : 0;
        vi most = (vi)0;
        for (int32_t p = 0; p < there; p++) most = max_whole(most, magnitude(load(values + p * stride + c)));
        vf peak, scales;
        vi finite;
        for (int i = 0; i < LANES; i++) {
            finite[i] = most[i] < NOT_FINITE ? -1 : 0;
            peak[i] = finite[i] && float_of(most[i]) >= SMALLEST_PEAK ? float_of(most[i]) : 127.0f;
        }
        const vf steps = splat(127.0f) / peak;
        scales = peak * splat(1.0f / 127.0f);
        // A channel with a NaN or an infinity gets zeros, and a scale of NaN, so that every result computed from it is
        // NaN.
        for (int i = 0; i < LANES; i++) if (!finite[i]) scales[i] = NAN;
        store(m->value_scales + block + c, scales);
        vi sum = (vi)0;
        int8_t *to = packed + (int64_t)(c / PANEL) * m->capacity * PANEL + c % PANEL * GROUP;
        for (int32_t p = 0; p < count; p += GROUP) {
            vi words[2] = {(vi)0, (vi)0};
            for (int32_t j = 0; j < GROUP && p + j < there; j++) {
                const vi whole = nearest(only(load(values + (p + j) * stride + c), finite) * steps);
                words[j / 4] |= (whole & 255) << (8 * (j % 4));
                sum += whole;
            }
            store_groups(to + (int64_t)p * PANEL, words);
        }
        *(vi_any *)(m->value_sums + block + c) = sum;
    }
}

INLINE void pack_wide8(
    const int32_t width, steno_memory *m, int32_t head, int32_t first, int32_t count, const float *keys,
    const float *values, int64_t stride) {
    const bool finite = pack_keys8(width, m, head, first, count, keys, stride);
    pack_values8(width, m, head, first, count, values, stride);
    if (finite) return;
    // The softmax skips NaN scores, so the NaN must be propagated through the block's values.
    const int32_t channels = in_panels(width);
    float *scales = m->value_scales + ((int64_t)head * m->capacity + first) / STENO_BLOCK * channels;
    for (int32_t c = 0; c < channels; c++) scales[c] = NAN;
}

static void pack_int8(
    steno_memory *m, int32_t head, int32_t first, int32_t count, const float *keys, const float *values, int64_t stride) {
    AT_HEAD_WIDTH(m->head_width, pack_wide8, m, head, first, count, keys, values, stride);
}

static void layout_memory_int8(steno_memory *m, steno_arena *arena) {
    m->padded_width = in_panels(m->head_width);
    m->keys = steno_arena_take(arena, m->heads, m->capacity, m->head_width);
    m->values = steno_arena_take(arena, m->heads, m->capacity, m->padded_width);
    m->key_scales = steno_arena_take(arena, m->heads, m->capacity, sizeof(float));
    m->key_sums = steno_arena_take(arena, m->heads, m->capacity, sizeof(int32_t));
    const int64_t blocks = (int64_t)m->heads * (m->capacity / STENO_BLOCK);
    m->value_scales = steno_arena_take(arena, blocks, m->padded_width, sizeof(float));
    m->value_sums = steno_arena_take(arena, blocks, m->padded_width, sizeof(int32_t));
}

// The factors for the scores of a panel of keys: score = (sum − offset) · scale · the query's scale.
typedef struct {
    const int8_t *keys;
    int64_t ahead; // distance to the next block's keys, if they are to be prefetched
    vi offset[2];
    vf scale[2];
} key_panel8;

INLINE void score_tile8(
    const int rows, const int32_t width, const activation *queries, const float *scales, const key_panel8 *k,
    float *scores, int64_t stride) {
    int32_t whole[TILE_ROWS * PANEL];
    tile_int8(rows, queries, width, k->keys, width / GROUP, k->ahead, whole);
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; i++) {
        const vf row_scale = splat(scales[i]);
        for (int h = 0; h < 2; h++) {
            const vi sum = *(const vi_any *)(whole + i * PANEL + h * LANES) - k->offset[h];
            store(scores + i * stride + h * LANES, __builtin_convertvector(sum, vf) * row_scale * k->scale[h]);
        }
    }
}

// The tiles are two functions, so that the constant reaches their loops without their code being inlined into every
// caller.
static void score_tile8_64(
    int rows, const activation *queries, const float *scales, const key_panel8 *k, float *scores, int64_t stride) {
    TILES(score_tile8, rows, 64, queries, scales, k, scores, stride)
}

static void score_tile8_any(
    int rows, int32_t width, const activation *queries, const float *scales, const key_panel8 *k, float *scores,
    int64_t stride) {
    TILES(score_tile8, rows, width, queries, scales, k, scores, stride)
}

// scores[i][p] = factor · q[i] · K[p], for positions [first, first + count); rows of scores hold whole panels.
INLINE void score_block8(
    const int32_t width, const steno_memory *m, int32_t head, const activation *queries, const float *scales, int rows,
    int32_t first, int32_t count, float factor, float *scores, int64_t scores_stride) {
    const int64_t at = (int64_t)head * m->capacity + first;
    for (int32_t p = 0; p < count; p += PANEL) {
        key_panel8 panel = {
            .keys = (const int8_t *)m->keys + (at + p) * width, .ahead = rows <= TILE_ROWS ? STENO_BLOCK * width : 0};
        for (int h = 0; h < 2; h++) {
            panel.offset[h] = *(const vi_any *)(m->key_sums + at + p + h * LANES) * ACTIVATION_OFFSET;
            panel.scale[h] = load(m->key_scales + at + p + h * LANES) * splat(factor);
        }
        for (int i = 0; i < rows; i += TILE_ROWS) {
            const int n = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
            const activation *tile = queries + i * width;
            float *to = scores + i * scores_stride + p;
            if (width == 64) score_tile8_64(n, tile, scales + i, &panel, to, scores_stride);
            else score_tile8_any(n, width, tile, scales + i, &panel, to, scores_stride);
        }
    }
}

// Finds each row's largest score of the block; scores beyond its end are ignored.
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

// Converts scores to integer weights, WEIGHT_TOP · 2^(score − the block's peak), and sums them.
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
        put_wholes(sizeof(activation), weights, p, whole + WEIGHT_OFFSET);
        total += whole;
    }
    s->total[row] = (float)whole_sum_of(total);
}

// The factors for the contribution of a panel of values: (sum − offset) · scale · the row's share.
typedef struct {
    const int8_t *values;
    int64_t groups;
    int64_t ahead; // as for keys
    vi offset[2];
    vf scale[2];
} value_panel8;

INLINE void add_tile8(
    const int rows, const attention8_scratch *s, int row, const value_panel8 *v, float *sums, int64_t stride) {
    int32_t whole[TILE_ROWS * PANEL];
    tile_int8(rows, s->weights + row * STENO_BLOCK, STENO_BLOCK, v->values, v->groups, v->ahead, whole);
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; i++) {
        const vf grow = splat(s->grow[row + i]), shrink = splat(s->shrink[row + i]);
        for (int h = 0; h < 2; h++) {
            float *to = sums + i * stride + h * LANES;
            const vi sum = *(const vi_any *)(whole + i * PANEL + h * LANES) - v->offset[h];
            store(to, fma_(load(to), shrink, __builtin_convertvector(sum, vf) * (v->scale[h] * grow)));
        }
    }
}

static void add_tile8_any(
    int rows, const attention8_scratch *s, int row, const value_panel8 *v, float *sums, int64_t stride) {
    TILES(add_tile8, rows, s, row, v, sums, stride)
}

// Adds the block's weighted values to the sums, with both rescaled to the new peak (Milakov and Gimelshein 2018).
INLINE void add_block8(
    const int32_t width, attention8_scratch *s, const steno_memory *m, int32_t head, int rows, int32_t first,
    int32_t count) {
    const int32_t channels = in_panels(width);
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
    const int64_t block = ((int64_t)head * m->capacity + first) / STENO_BLOCK * channels;
    const int32_t groups = (count + GROUP - 1) / GROUP;
    for (int c = 0; c < channels; c += PANEL) {
        value_panel8 panel = {
            .values = (const int8_t *)m->values + ((int64_t)head * channels + c) * m->capacity + (int64_t)first * PANEL,
            .groups = groups,
            .ahead = rows <= TILE_ROWS ? STENO_BLOCK * PANEL : 0};
        for (int h = 0; h < 2; h++) {
            panel.offset[h] = *(const vi_any *)(m->value_sums + block + c + h * LANES) * WEIGHT_OFFSET;
            panel.scale[h] = load(m->value_scales + block + c + h * LANES);
        }
        for (int i = 0; i < rows; i += TILE_ROWS) {
            const int n = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
            add_tile8_any(n, s, i, &panel, s->sums + i * channels + c, channels);
        }
    }
}

// Quantises the next queries of a head, from row `start` on.
INLINE void quantize_queries8(
    const int32_t width, attention8_scratch *s, const steno_attention *a, int32_t head, int32_t start, int rows) {
    for (int i = 0; i < rows; i++) {
        const float *query = a->queries + (start + i) * a->query_stride + (int64_t)head * width;
        s->scales[i] = quantize(query, width, width, s->queries + i * width);
    }
}

INLINE void attend_wide8(const int32_t width, const steno_attention *a, int32_t head, int32_t row, int32_t row_end) {
    const steno_memory *m = a->memory;
    const int32_t channels = in_panels(width);
    attention8_scratch s;
    const float factor = a->scale * 1.44269504088896341f; // base 2 is cheaper than base e
    for (int32_t start = row; start < row_end; start += QUERIES8) {
        const int rows = row_end - start < QUERIES8 ? row_end - start : QUERIES8;
        quantize_queries8(width, &s, a, head, start, rows);
        memset(s.sums, 0, (size_t)rows * (size_t)channels * sizeof(float));
        for (int i = 0; i < QUERIES8 + LANES; i++) {
            s.weight[i] = s.total[i] = s.most[i] = 0;
            s.peak[i] = -1e30f;
        }
        for (int32_t p = 0; p < m->positions; p += STENO_BLOCK) {
            const int32_t count = m->positions - p < STENO_BLOCK ? m->positions - p : STENO_BLOCK;
            score_block8(width, m, head, s.queries, s.scales, rows, p, count, factor, s.scores, STENO_BLOCK);
            add_block8(width, &s, m, head, rows, p, count);
        }
        for (int i = 0; i < rows; i++) {
            // A query that is not finite has a scale of NaN, which the softmax skips.
            const vf share = splat(isnan(s.scales[i]) ? NAN : 1.0f / s.weight[i]);
            float *to = a->out + (start + i) * a->out_stride + (int64_t)head * width;
            for (int c = 0; c < width; c += LANES) store(to + c, load(s.sums + i * channels + c) * share);
        }
    }
}

static void attend_int8(const steno_attention *a, int32_t head, int32_t row, int32_t row_end) {
    AT_HEAD_WIDTH(a->memory->head_width, attend_wide8, a, head, row, row_end);
}

static void scores_int8(const steno_attention *a, int32_t head, float *scores, int64_t scores_stride) {
    const steno_memory *m = a->memory;
    attention8_scratch s;
    for (int32_t start = 0; start < a->rows; start += QUERIES8) {
        const int n = a->rows - start < QUERIES8 ? a->rows - start : QUERIES8;
        quantize_queries8(m->head_width, &s, a, head, start, n);
        for (int32_t p = 0; p < m->positions; p += STENO_BLOCK) {
            const int32_t count = m->positions - p < STENO_BLOCK ? m->positions - p : STENO_BLOCK;
            score_block8(m->head_width, m, head, s.queries, s.scales, n, p, count, a->scale, s.scores, STENO_BLOCK);
            for (int i = 0; i < n; i++) {
                memcpy(scores + (start + i) * scores_stride + p, s.scores + i * STENO_BLOCK, (size_t)count * sizeof(float));
            }
        }
    }
}
