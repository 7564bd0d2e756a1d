// Attention of one instruction set. Scores of QUERIES queries and POSITIONS positions are all that exists at a time:
// they and the sums stay in the first-level cache.

enum { QUERIES = 4 * TILE_ROWS, POSITIONS = 256 };

typedef struct {
    float scores[QUERIES * POSITIONS];
    float sums[QUERIES * STENO_HEAD];
    float weight[QUERIES];
    float peak[QUERIES];
} attention_scratch;

// scores[i][p] = q[i] · K[p] / 8, for positions [first, first + count).
static void score_block(
    const steno_memory *m, int32_t head, const float *q, int64_t q_stride, int rows, int32_t first, int32_t count,
    float *scores, int64_t scores_stride) {
    float tile[TILE_ROWS * PANEL];
    const float *keys = (const float *)m->keys + (int64_t)head * m->capacity * STENO_HEAD;
    for (int32_t p = first; p < first + count; p += PANEL) {
        const float *k = keys + (int64_t)p * STENO_HEAD;
        const int32_t columns = first + count - p < PANEL ? first + count - p : PANEL;
        for (int i = 0; i < rows; i += TILE_ROWS) {
            const int n = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
            tile_float_any(n, q + i * q_stride, q_stride, k, STENO_HEAD, tile);
            for (int j = 0; j < n; j++) {
                float *to = scores + (i + j) * scores_stride + (p - first);
                if (columns == PANEL) {
                    store(to, load(tile + j * PANEL) * splat(0.125f));
                    store(to + LANES, load(tile + j * PANEL + LANES) * splat(0.125f));
                } else {
                    for (int c = 0; c < columns; c++) to[c] = tile[j * PANEL + c] * 0.125f;
                }
            }
        }
    }
}

// Turns a row of scores into weights relative to `peak` and returns their sum; the row is padded with zeros to
// `padded`.
static float weigh(float *row, int32_t count, int32_t padded, float peak) {
    vf total = splat(0);
    for (int32_t p = count; p < padded; p++) row[p] = -FLT_MAX;
    for (int32_t p = 0; p < padded; p += LANES) {
        const vf e = exp_(load(row + p) - splat(peak));
        store(row + p, e);
        total += e;
    }
    return sum_of(total);
}

// Adds the block's weighted values to the sums, after scaling these to the new peaks (Milakov and Gimelshein 2018).
static void add_block(
    attention_scratch *s, const steno_memory *m, int32_t head, int rows, int32_t first, int32_t count) {
    const int32_t padded = (count + LANES - 1) / LANES * LANES;
    for (int i = 0; i < rows; i++) {
        float *row = s->scores + i * POSITIONS;
        vf most = load(row);
        int32_t p = 0;
        float peak = s->peak[i];
        for (; p + LANES <= count; p += LANES) most = max_(most, load(row + p));
        if (count >= LANES) peak = fmaxf(peak, max_of(most));
        for (; p < count; p++) peak = fmaxf(peak, row[p]);
        const float shrink = s->weight[i] > 0 ? expf(s->peak[i] - peak) : 0;
        s->peak[i] = peak;
        s->weight[i] = s->weight[i] * shrink + weigh(row, count, padded, peak);
        for (int c = 0; c < STENO_HEAD; c += LANES) {
            store(s->sums + i * STENO_HEAD + c, load(s->sums + i * STENO_HEAD + c) * splat(shrink));
        }
    }
    float tile[TILE_ROWS * PANEL];
    const float *values = (const float *)m->values + (int64_t)head * m->capacity * STENO_HEAD;
    for (int c = 0; c < STENO_HEAD; c += PANEL) {
        const float *v = values + (int64_t)c * m->capacity + (int64_t)first * PANEL;
        for (int i = 0; i < rows; i += TILE_ROWS) {
            const int n = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
            tile_float_any(n, s->scores + i * POSITIONS, POSITIONS, v, count, tile);
            for (int j = 0; j < n; j++) {
                float *sums = s->sums + (i + j) * STENO_HEAD + c;
                store(sums, load(sums) + load(tile + j * PANEL));
                store(sums + LANES, load(sums + LANES) + load(tile + j * PANEL + LANES));
            }
        }
    }
}

static void attend(
    const steno_memory *m, int32_t head, const float *q, int64_t q_stride, int32_t row, int32_t row_end, float *out,
    int64_t out_stride) {
    attention_scratch s;
    for (int32_t start = row; start < row_end; start += QUERIES) {
        const int rows = row_end - start < QUERIES ? row_end - start : QUERIES;
        const float *queries = q + start * q_stride + head * STENO_HEAD;
        memset(s.sums, 0, (size_t)rows * STENO_HEAD * sizeof(float));
        for (int i = 0; i < rows; i++) {
            s.weight[i] = 0;
            s.peak[i] = -FLT_MAX;
        }
        for (int32_t p = 0; p < m->positions; p += POSITIONS) {
            const int32_t count = m->positions - p < POSITIONS ? m->positions - p : POSITIONS;
            score_block(m, head, queries, q_stride, rows, p, count, s.scores, POSITIONS);
            add_block(&s, m, head, rows, p, count);
        }
        for (int i = 0; i < rows; i++) {
            const vf share = splat(1.0f / s.weight[i]);
            float *to = out + (start + i) * out_stride + head * STENO_HEAD;
            for (int c = 0; c < STENO_HEAD; c += LANES) store(to + c, load(s.sums + i * STENO_HEAD + c) * share);
        }
    }
}

static void scores(
    const steno_memory *m, int32_t head, const float *q, int64_t q_stride, int32_t rows, float *scores,
    int64_t scores_stride) {
    score_block(m, head, q + head * STENO_HEAD, q_stride, rows, 0, m->positions, scores, scores_stride);
}

// What one row of a cache looks at.
typedef struct {
    const int32_t *slots;
    int32_t length;
    const float *query;
    float peak;
    float weights[STENO_CACHED_POSITIONS + LANES];
    float sums[STENO_HEAD];
} cached_row;

// Channels of a head, from a cache of floats or of halves.
INLINE vf load_cached(const void *cache, int64_t index, const int is_half) {
    return is_half ? load_bfloat16((const uint16_t *)cache + index) : load((const float *)cache + index);
}

INLINE void score_cached(
    const steno_cached_attention *a, cached_row *row, int64_t at, int32_t first, int32_t end, const int is_half) {
    for (int32_t p = first; p < end; p++) {
        const int64_t key = at + row->slots[p] * a->slot_stride;
        vf total = splat(0);
        for (int c = 0; c < STENO_HEAD; c += LANES) {
            total = fma_(load(row->query + c), load_cached(a->keys, key + c, is_half), total);
        }
        row->weights[p] = sum_of(total) * 0.125f;
        row->peak = fmaxf(row->peak, row->weights[p]);
    }
}

INLINE void add_cached(
    const steno_cached_attention *a, cached_row *row, int64_t at, int32_t first, int32_t end, const int is_half) {
    vf sums[STENO_HEAD / LANES];
    for (int c = 0; c < STENO_HEAD / LANES; c++) sums[c] = load(row->sums + c * LANES);
    for (int32_t p = first; p < end; p++) {
        const int64_t value = at + row->slots[p] * a->slot_stride;
        const vf weight = splat(row->weights[p]);
        for (int c = 0; c < STENO_HEAD / LANES; c++) {
            sums[c] = fma_(weight, load_cached(a->values, value + c * LANES, is_half), sums[c]);
        }
    }
    for (int c = 0; c < STENO_HEAD / LANES; c++) store(row->sums + c * LANES, sums[c]);
}

// Rows take turns over blocks of positions: what they share, as beams do their past, is fetched once.
INLINE void attend_cached_as(
    const steno_cached_attention *a, int32_t row, int32_t row_end, int32_t head, const int is_half) {
    enum { BLOCK = 64 };
    cached_row rows[STENO_CACHED_ROWS];
    const int64_t at = head * a->head_stride;
    const int32_t count = row_end - row;
    int32_t longest = 0;
    for (int32_t i = 0; i < count; i++) {
        rows[i].slots = a->slots + (a->lists ? a->lists[row + i] : row + i) * a->slots_stride;
        rows[i].length = a->lengths[row + i];
        rows[i].query = a->queries + (row + i) * a->query_stride + (int64_t)head * STENO_HEAD;
        rows[i].peak = -FLT_MAX;
        memset(rows[i].sums, 0, sizeof(rows[i].sums));
        longest = rows[i].length > longest ? rows[i].length : longest;
    }
    for (int32_t p = 0; p < longest; p += BLOCK) {
        for (int32_t i = 0; i < count; i++) {
            score_cached(a, &rows[i], at, p, p + BLOCK < rows[i].length ? p + BLOCK : rows[i].length, is_half);
        }
    }
    float shares[STENO_CACHED_ROWS];
    for (int32_t i = 0; i < count; i++) {
        const int32_t padded = (rows[i].length + LANES - 1) / LANES * LANES;
        shares[i] = 1.0f / weigh(rows[i].weights, rows[i].length, padded, rows[i].peak);
    }
    for (int32_t p = 0; p < longest; p += BLOCK) {
        for (int32_t i = 0; i < count; i++) {
            add_cached(a, &rows[i], at, p, p + BLOCK < rows[i].length ? p + BLOCK : rows[i].length, is_half);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        float *to = a->out + (row + i) * a->out_stride + (int64_t)head * STENO_HEAD;
        for (int c = 0; c < STENO_HEAD; c += LANES) store(to + c, load(rows[i].sums + c) * splat(shares[i]));
    }
}

static void attend_cached(const steno_cached_attention *a, int32_t row, int32_t row_end, int32_t head) {
    if (a->is_bfloat16) attend_cached_as(a, row, row_end, head, 1);
    else attend_cached_as(a, row, row_end, head, 0);
}
