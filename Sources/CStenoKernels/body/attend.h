// Attention for one instruction set. Only the scores of QUERIES queries and POSITIONS positions exist at a time, so
// that they and the sums stay in the L1 cache.
//
// The head width is an argument of functions that are always inlined: Whisper's 64 channels get a specialised copy, all
// other widths share one.
#define AT_HEAD_WIDTH(width, call, ...) \
    do { if ((width) == 64) call(64, __VA_ARGS__); else call(width, __VA_ARGS__); } while (0)

enum { QUERIES = 4 * TILE_ROWS, POSITIONS = 256 };

typedef struct {
    float scores[QUERIES * POSITIONS];
    float weight[QUERIES];
    float peak[QUERIES];
    float sums[QUERIES * STENO_MAX_HEAD_WIDTH]; // [queries, padded width]
} attention_scratch;

// The number of channels of a head rounded up to whole panels, as the values are stored.
INLINE int32_t in_panels(int32_t width) { return (width + PANEL - 1) / PANEL * PANEL; }

// scores[i][p] = q[i] · K[p] · scale, for positions [first, first + count).
INLINE void score_block(
    const int32_t width, const steno_memory *m, int32_t head, float scale, const float *q, int64_t q_stride, int rows,
    int32_t first, int32_t count, float *scores, int64_t scores_stride) {
    float tile[TILE_ROWS * PANEL];
    const float *keys = (const float *)m->keys + (int64_t)head * m->capacity * width;
    for (int32_t p = first; p < first + count; p += PANEL) {
        const float *k = keys + (int64_t)p * width;
        const int32_t columns = first + count - p < PANEL ? first + count - p : PANEL;
        for (int i = 0; i < rows; i += TILE_ROWS) {
            const int n = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
            tile_float_any(n, q + i * q_stride, q_stride, k, width, tile);
            for (int j = 0; j < n; j++) {
                float *to = scores + (i + j) * scores_stride + (p - first);
                if (columns == PANEL) {
                    store(to, load(tile + j * PANEL) * splat(scale));
                    store(to + LANES, load(tile + j * PANEL + LANES) * splat(scale));
                } else {
                    for (int c = 0; c < columns; c++) to[c] = tile[j * PANEL + c] * scale;
                }
            }
        }
    }
}

// Turns a row of scores into weights relative to `peak` and returns their sum; pads the row with zeros to `padded`.
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

// sums[i] += Σ weights[i][j] · V[first + j], for `count` positions.
INLINE void add_values(
    const int32_t width, const float *weights, int64_t stride, const steno_memory *m, int32_t head, int rows,
    int32_t first, int32_t count, float *sums) {
    const int32_t channels = in_panels(width);
    float tile[TILE_ROWS * PANEL];
    const float *values = (const float *)m->values + (int64_t)head * m->capacity * channels;
    for (int c = 0; c < channels; c += PANEL) {
        const float *v = values + (int64_t)c * m->capacity + (int64_t)first * PANEL;
        for (int i = 0; i < rows; i += TILE_ROWS) {
            const int n = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
            tile_float_any(n, weights + i * stride, stride, v, count, tile);
            for (int j = 0; j < n; j++) {
                float *to = sums + (i + j) * channels + c;
                store(to, load(to) + load(tile + j * PANEL));
                store(to + LANES, load(to + LANES) + load(tile + j * PANEL + LANES));
            }
        }
    }
}

// Adds the block's weighted values to the sums, after rescaling these to the new peaks (Milakov and Gimelshein 2018).
INLINE void add_block(
    const int32_t width, attention_scratch *s, const steno_memory *m, int32_t head, int rows, int32_t first,
    int32_t count) {
    const int32_t channels = in_panels(width);
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
        for (int c = 0; c < channels; c += LANES) {
            store(s->sums + i * channels + c, load(s->sums + i * channels + c) * splat(shrink));
        }
    }
    add_values(width, s->scores, POSITIONS, m, head, rows, first, count, s->sums);
}

// out[i] = sums[i] / weights[i].
INLINE void share_sums(
    const int32_t width, const float *sums, const float *weights, int rows, float *out, int64_t stride) {
    for (int i = 0; i < rows; i++) {
        const vf share = splat(1.0f / weights[i]);
        const float *own = sums + i * in_panels(width);
        for (int c = 0; c < width; c += LANES) store(out + i * stride + c, load(own + c) * share);
    }
}

INLINE void attend_wide(const int32_t width, const steno_attention *a, int32_t head, int32_t row, int32_t row_end) {
    const steno_memory *m = a->memory;
    const int32_t channels = in_panels(width);
    attention_scratch s;
    for (int32_t start = row; start < row_end; start += QUERIES) {
        const int rows = row_end - start < QUERIES ? row_end - start : QUERIES;
        const float *queries = a->queries + start * a->query_stride + (int64_t)head * width;
        memset(s.sums, 0, (size_t)rows * (size_t)channels * sizeof(float));
        for (int i = 0; i < rows; i++) {
            s.weight[i] = 0;
            s.peak[i] = -FLT_MAX;
        }
        for (int32_t p = 0; p < m->positions; p += POSITIONS) {
            const int32_t count = m->positions - p < POSITIONS ? m->positions - p : POSITIONS;
            score_block(width, m, head, a->scale, queries, a->query_stride, rows, p, count, s.scores, POSITIONS);
            add_block(width, &s, m, head, rows, p, count);
        }
        float *out = a->out + start * a->out_stride + (int64_t)head * width;
        share_sums(width, s.sums, s.weight, rows, out, a->out_stride);
    }
}

static void attend_float(const steno_attention *a, int32_t head, int32_t row, int32_t row_end) {
    AT_HEAD_WIDTH(a->memory->head_width, attend_wide, a, head, row, row_end);
}

static void scores_float(const steno_attention *a, int32_t head, float *scores, int64_t scores_stride) {
    const steno_memory *m = a->memory;
    score_block(
        m->head_width, m, head, a->scale, a->queries + (int64_t)head * m->head_width, a->query_stride, a->rows, 0,
        m->positions, scores, scores_stride);
}

// What one row attends to in the cache.
typedef struct {
    const int32_t *slots;
    int32_t length;
    const float *query;
    float peak;
    float weights[STENO_CACHED_POSITIONS + LANES];
    float sums[STENO_MAX_HEAD_WIDTH];
} cached_row;

// Loads numbers from a cache in one of its formats; a compile-time constant in the functions below.
typedef vf load_cached(const void *cache, int64_t index);

INLINE vf load_cached_float32(const void *cache, int64_t index) { return load((const float *)cache + index); }

INLINE vf load_cached_bfloat16(const void *cache, int64_t index) {
    return load_bfloat16((const uint16_t *)cache + index);
}

INLINE void score_cached(
    const int32_t width, load_cached *const read, const steno_cached_attention *a, cached_row *row, int64_t at,
    int32_t first, int32_t end) {
    for (int32_t p = first; p < end; p++) {
        const int64_t key = at + row->slots[p] * a->slot_stride;
        vf total = splat(0);
        for (int c = 0; c < width; c += LANES) total = fma_(load(row->query + c), read(a->keys, key + c), total);
        row->weights[p] = sum_of(total) * a->scale;
        row->peak = fmaxf(row->peak, row->weights[p]);
    }
}

INLINE void add_cached(
    const int32_t width, load_cached *const read, const steno_cached_attention *a, cached_row *row, int64_t at,
    int32_t first, int32_t end) {
    vf sums[STENO_MAX_HEAD_WIDTH / LANES];
    for (int c = 0; c < width / LANES; c++) sums[c] = load(row->sums + c * LANES);
    for (int32_t p = first; p < end; p++) {
        const int64_t value = at + row->slots[p] * a->slot_stride;
        const vf weight = splat(row->weights[p]);
        for (int c = 0; c < width / LANES; c++) sums[c] = fma_(weight, read(a->values, value + c * LANES), sums[c]);
    }
    for (int c = 0; c < width / LANES; c++) store(row->sums + c * LANES, sums[c]);
}

// Rows alternate over blocks of positions, so that shared slots, such as the common prefix of beams, are read once.
INLINE void attend_cached(
    const int32_t width, load_cached *const read, const steno_cached_attention *a, int32_t row, int32_t row_end,
    int32_t head) {
    enum { BLOCK = 64 };
    cached_row rows[STENO_CACHED_ROWS];
    const int64_t at = head * a->head_stride;
    const int32_t count = row_end - row;
    int32_t longest = 0;
    for (int32_t i = 0; i < count; i++) {
        rows[i].slots = a->slots + (a->lists ? a->lists[row + i] : row + i) * a->slots_stride;
        rows[i].length = a->lengths[row + i];
        rows[i].query = a->queries + (row + i) * a->query_stride + (int64_t)head * width;
        rows[i].peak = -FLT_MAX;
        memset(rows[i].sums, 0, (size_t)width * sizeof(float));
        longest = rows[i].length > longest ? rows[i].length : longest;
    }
    for (int32_t p = 0; p < longest; p += BLOCK) {
        for (int32_t i = 0; i < count; i++) {
            score_cached(width, read, a, &rows[i], at, p, p + BLOCK < rows[i].length ? p + BLOCK : rows[i].length);
        }
    }
    float shares[STENO_CACHED_ROWS];
    for (int32_t i = 0; i < count; i++) {
        const int32_t padded = (rows[i].length + LANES - 1) / LANES * LANES;
        shares[i] = 1.0f / weigh(rows[i].weights, rows[i].length, padded, rows[i].peak);
    }
    for (int32_t p = 0; p < longest; p += BLOCK) {
        for (int32_t i = 0; i < count; i++) {
            add_cached(width, read, a, &rows[i], at, p, p + BLOCK < rows[i].length ? p + BLOCK : rows[i].length);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        float *to = a->out + (row + i) * a->out_stride + (int64_t)head * width;
        for (int c = 0; c < width; c += LANES) store(to + c, load(rows[i].sums + c) * splat(shares[i]));
    }
}

static void attend_cached_float32(const steno_cached_attention *a, int32_t row, int32_t row_end, int32_t head) {
    AT_HEAD_WIDTH(a->head_width, attend_cached, load_cached_float32, a, row, row_end, head);
}

static void attend_cached_bfloat16(const steno_cached_attention *a, int32_t row, int32_t row_end, int32_t head) {
    AT_HEAD_WIDTH(a->head_width, attend_cached, load_cached_bfloat16, a, row, row_end, head);
}
