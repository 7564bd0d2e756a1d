// Attention with relative positions for one instruction set.
//
// A block of queries and a block of positions have few distances, each of which belongs to a diagonal of the scores.
// The products of the queries with the encodings of these distances are computed once and added diagonally: to row i of
// the scores, shifted by i. As in attend.h, only one block of scores exists at a time.

enum {
    RELATIVE_QUERIES = STENO_RELATIVE_QUERIES,
    // A row of scores; the last vector of a range may reach beyond the positions.
    RELATIVE_SCORES = POSITIONS + LANES,
    // The distances of a block, in whole panels.
    RELATIVE_DISTANCES = POSITIONS + RELATIVE_QUERIES + 2 * PANEL,
};

typedef struct {
    float content[RELATIVE_QUERIES * STENO_MAX_HEAD_WIDTH];  // (q + content_bias) · scale
    float position[RELATIVE_QUERIES * STENO_MAX_HEAD_WIDTH]; // (q + position_bias) · scale
    float scores[RELATIVE_QUERIES * RELATIVE_SCORES];
    float distances[RELATIVE_QUERIES * RELATIVE_DISTANCES];
    float sums[RELATIVE_QUERIES * STENO_MAX_HEAD_WIDTH]; // [queries, padded width]
    float weight[RELATIVE_QUERIES], peak[RELATIVE_QUERIES];
    int32_t first[RELATIVE_QUERIES], end[RELATIVE_QUERIES];
} relative_scratch;

INLINE int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

INLINE void load_queries(
    const int32_t width, const steno_relative_attention *a, relative_scratch *s, int32_t head, int32_t start,
    int32_t rows) {
    const vf scale = splat(a->scale);
    const int64_t at = (int64_t)head * width;
    for (int32_t i = 0; i < rows; i++) {
        const float *query = a->queries + (start + i) * a->query_stride + at;
        for (int32_t c = 0; c < width; c += LANES) {
            const vf q = load(query + c);
            store(s->content + i * width + c, (q + load(a->content_bias + at + c)) * scale);
            store(s->position + i * width + c, (q + load(a->position_bias + at + c)) * scale);
        }
        s->first[i] = a->first ? a->first[start + i] : 0;
        s->end[i] = a->end ? a->end[start + i] : a->memory->positions;
        s->weight[i] = 0;
        s->peak[i] = -FLT_MAX;
    }
}

// Adds the products with the encodings to the scores of positions [p, p + count); `query` is the first query's position.
INLINE void add_distances(
    const int32_t width, const steno_relative_attention *a, relative_scratch *s, int32_t head, int32_t query,
    int32_t rows, int32_t p, int32_t count) {
    const int64_t inputs = a->encodings->inputs;
    const int32_t least = p - (query + rows - 1) - a->first_distance, most = p + count - 1 - query - a->first_distance;
    const int32_t base = larger(least, 0) / PANEL * PANEL, end = steno_least(most + 1, a->encodings->outputs);
    // Distances that no query's range has may be missing; what is left in their place is never used.
    float tile[TILE_ROWS * PANEL];
    for (int32_t d = base; d < end; d += PANEL) {
        const float *encodings = (const float *)a->encodings->weights + (d * inputs + (int64_t)head * width * PANEL);
        for (int32_t i = 0; i < rows; i += TILE_ROWS) {
            const int32_t n = steno_least(rows - i, TILE_ROWS);
            tile_float_any(n, s->position + i * width, width, encodings, width, tile);
            for (int32_t j = 0; j < n; j++) {
                float *to = s->distances + (i + j) * RELATIVE_DISTANCES + (d - base);
                store(to, load(tile + j * PANEL));
                store(to + LANES, load(tile + j * PANEL + LANES));
            }
        }
    }
    for (int32_t i = 0; i < rows; i++) {
        // The index of the distance from this query to position p.
        const int32_t shift = p - (query + i) - a->first_distance;
        const int32_t from = larger(s->first[i] - p, 0), to = steno_least(s->end[i] - p, count);
        float *scores = s->scores + i * RELATIVE_SCORES;
        const float *distances = s->distances + i * RELATIVE_DISTANCES + (shift - base);
        int32_t j = from;
        for (; j + LANES <= to; j += LANES) store(scores + j, load(scores + j) + load(distances + j));
        for (; j < to; j++) scores[j] += distances[j];
    }
}

// Turns the scores of each query's range into weights and all others into zeros; rescales the sums to the new peaks.
INLINE void weigh_ranges(
    const int32_t width, relative_scratch *s, int32_t rows, int32_t p, int32_t count) {
    const int32_t channels = in_panels(width);
    for (int32_t i = 0; i < rows; i++) {
        float *row = s->scores + i * RELATIVE_SCORES;
        const int32_t from = larger(s->first[i] - p, 0), to = steno_least(s->end[i] - p, count);
        if (from >= to) {
            memset(row, 0, (size_t)count * sizeof(float));
            continue;
        }
        const float peak = fmaxf(s->peak[i], maximum(row + from, to - from));
        const float shrink = s->weight[i] > 0 ? expf(s->peak[i] - peak) : 0;
        const int32_t padded = (to - from + LANES - 1) / LANES * LANES;
        s->peak[i] = peak;
        s->weight[i] = s->weight[i] * shrink + weigh(row + from, to - from, padded, peak);
        memset(row, 0, (size_t)from * sizeof(float));
        if (to < count) memset(row + to, 0, (size_t)(count - to) * sizeof(float));
        for (int32_t c = 0; c < channels; c += LANES) {
            store(s->sums + i * channels + c, load(s->sums + i * channels + c) * splat(shrink));
        }
    }
}

INLINE void attend_relative_wide(
    const int32_t width, const steno_relative_attention *a, int32_t head, int32_t row, int32_t row_end) {
    const steno_memory *m = a->memory;
    const int32_t channels = in_panels(width);
    relative_scratch s;
    memset(s.distances, 0, sizeof(s.distances));
    for (int32_t start = row; start < row_end; start += RELATIVE_QUERIES) {
        const int32_t rows = steno_least(row_end - start, RELATIVE_QUERIES);
        load_queries(width, a, &s, head, start, rows);
        memset(s.sums, 0, (size_t)rows * (size_t)channels * sizeof(float));
        int32_t first = s.first[0], end = s.end[0];
        for (int32_t i = 1; i < rows; i++) {
            first = steno_least(first, s.first[i]);
            end = larger(end, s.end[i]);
        }
        for (int32_t p = first / PANEL * PANEL; p < end; p += POSITIONS) {
            const int32_t count = steno_least(end - p, POSITIONS);
            score_block(width, m, head, 1, s.content, width, rows, p, count, s.scores, RELATIVE_SCORES);
            add_distances(width, a, &s, head, a->first_query + start, rows, p, count);
            weigh_ranges(width, &s, rows, p, count);
            add_values(width, s.scores, RELATIVE_SCORES, m, head, rows, p, count, s.sums);
        }
        float *out = a->out + start * a->out_stride + (int64_t)head * width;
        share_sums(width, s.sums, s.weight, rows, out, a->out_stride);
    }
}

static void attend_relative(const steno_relative_attention *a, int32_t head, int32_t row, int32_t row_end) {
    AT_HEAD_WIDTH(a->memory->head_width, attend_relative_wide, a, head, row, row_end);
}
