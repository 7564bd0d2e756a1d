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

// Turns a row of scores into weights relative to `peak` and returns their sum; the row is padded with zeros to `padded`.
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

static void attend_cached(const steno_cached_attention *a, int32_t row, int32_t head) {
    float weights[STENO_CACHED_POSITIONS + LANES];
    const int32_t *slots = a->slots + (a->lists ? a->lists[row] : row) * a->slots_stride;
    const int32_t length = a->lengths[row];
    const int64_t width = (int64_t)a->heads * STENO_HEAD, at = (int64_t)head * STENO_HEAD;
    const float *q = a->queries + row * a->query_stride + at;
    float peak = -FLT_MAX;
    for (int32_t p = 0; p < length; p++) {
        const float *k = a->keys + slots[p] * width + at;
        vf total = splat(0);
        for (int c = 0; c < STENO_HEAD; c += LANES) total = fma_(load(q + c), load(k + c), total);
        weights[p] = sum_of(total) * 0.125f;
        peak = fmaxf(peak, weights[p]);
    }
    const float share = 1.0f / weigh(weights, length, (length + LANES - 1) / LANES * LANES, peak);
    vf sums[STENO_HEAD / LANES];
    for (int c = 0; c < STENO_HEAD / LANES; c++) sums[c] = splat(0);
    for (int32_t p = 0; p < length; p++) {
        const float *v = a->values + slots[p] * width + at;
        const vf weight = splat(weights[p]);
        for (int c = 0; c < STENO_HEAD / LANES; c++) sums[c] = fma_(weight, load(v + c * LANES), sums[c]);
    }
    float *to = a->out + row * a->out_stride + at;
    for (int c = 0; c < STENO_HEAD / LANES; c++) store(to + c * LANES, sums[c] * splat(share));
}
