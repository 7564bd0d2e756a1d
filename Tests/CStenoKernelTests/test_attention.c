#include "tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static operation attention = {.name = "attention"};
static operation scores = {.name = "attention scores"};
// Integer sums, and everything else one operation at a time: all tables must be bit-identical.
static operation attention8 = {.name = "attention, int8", .same_bits = true};
static operation scores8 = {.name = "attention scores, int8", .same_bits = true};
static operation cached = {.name = "attention, cached"};

// Queries, keys and values of some heads.
typedef struct {
    int32_t heads, positions, rows, channels; // of each head
    float *queries, *keys, *values;
    steno_format format;
} sample;

static int64_t width(const sample *s) { return (int64_t)s->heads * s->channels; }

// What the products of queries and keys are multiplied by.
static float scale(const sample *s) { return 1 / sqrtf((float)s->channels); }

static sample random_sample(int32_t heads, int32_t channels, int32_t positions, int32_t rows, double gain) {
    random_numbers random = {(uint64_t)(positions * 1009 + rows)};
    sample s = {.heads = heads, .positions = positions, .rows = rows, .channels = channels};
    s.queries = uniform(&random, rows * width(&s), 0, gain);
    s.keys = uniform(&random, positions * width(&s), 0, 2);
    s.values = uniform(&random, positions * width(&s), 0.5f, 1);
    return s;
}

static double score(const sample *s, int32_t row, int32_t position, int32_t head) {
    const float *q = s->queries + row * width(s) + head * s->channels;
    const float *k = s->keys + position * width(s) + head * s->channels;
    double sum = 0;
    for (int c = 0; c < s->channels; c++) sum += (double)q[c] * k[c];
    return sum * scale(s);
}

// The weighted mean of the values of `count` positions, by their slots.
static void define(
    const sample *s, int32_t row, int32_t head, const int32_t *slots, int32_t count, double out[STENO_MAX_HEAD_WIDTH]) {
    double weights[count], peak = -INFINITY, total = 0;
    for (int32_t p = 0; p < count; p++) {
        weights[p] = score(s, row, slots ? slots[p] : p, head);
        peak = fmax(peak, weights[p]);
    }
    for (int32_t p = 0; p < count; p++) total += weights[p] = exp(weights[p] - peak);
    for (int c = 0; c < s->channels; c++) out[c] = 0;
    for (int32_t p = 0; p < count; p++) {
        const float *v = s->values + (slots ? slots[p] : p) * width(s) + head * s->channels;
        for (int c = 0; c < s->channels; c++) out[c] += weights[p] / total * v[c];
    }
}

// Quantises a row to int8: 127 steps of the peak, to nearest even. Returns the number of steps in one.
static double bytes_of(const float *x, int32_t count, int64_t stride, double *bytes) {
    float peak = 0;
    for (int32_t i = 0; i < count; i++) peak = fmaxf(peak, fabsf(x[i * stride]));
    const float scale = peak > 0 ? 127.0f / peak : 1;
    for (int32_t i = 0; i < count; i++) bytes[i] = rintf(x[i * stride] * scale);
    return scale;
}

static double byte_score(const sample *s, int32_t row, int32_t position, int32_t head) {
    double q[STENO_MAX_HEAD_WIDTH], k[STENO_MAX_HEAD_WIDTH], sum = 0;
    const double a = bytes_of(s->queries + row * width(s) + head * s->channels, s->channels, 1, q);
    const double b = bytes_of(s->keys + position * width(s) + head * s->channels, s->channels, 1, k);
    for (int c = 0; c < s->channels; c++) sum += q[c] * k[c];
    return sum / (a * b) * scale(s);
}

// The weighted mean in int8, and the tables' tolerance: powers of two are accurate to 1e-4 and scores
// to float32 rounding, so that the blocks' shares may differ by that much, and a weight that close to half a step may be
// rounded the other way.
static double define_bytes(const sample *s, int32_t row, int32_t head, double out[STENO_MAX_HEAD_WIDTH]) {
    double scores[s->positions], weights[STENO_BLOCK], bytes[STENO_BLOCK], peak = -INFINITY, size = 0, total = 0, ties = 0;
    for (int32_t p = 0; p < s->positions; p++) {
        scores[p] = byte_score(s, row, p, head);
        peak = fmax(peak, scores[p]);
        size = fmax(size, fabs(scores[p]));
    }
    const double precision = 1.5e-4 + 6e-7 * size;
    for (int c = 0; c < s->channels; c++) out[c] = 0;
    for (int32_t first = 0; first < s->positions; first += STENO_BLOCK) {
        const int32_t count = s->positions - first < STENO_BLOCK ? s->positions - first : STENO_BLOCK;
        double most = -INFINITY;
        for (int32_t p = 0; p < count; p++) most = fmax(most, scores[first + p]);
        const double share = exp(most - peak);
        for (int32_t p = 0; p < count; p++) {
            const double exact = 255 * exp(scores[first + p] - most) + 0.5;
            weights[p] = floor(exact);
            total += share * weights[p];
            if (fabs(exact - rint(exact)) <= 255 * precision) ties += share;
        }
        for (int c = 0; c < s->channels; c++) {
            const double scale =
                bytes_of(s->values + first * width(s) + head * s->channels + c, count, width(s), bytes);
            for (int32_t p = 0; p < count; p++) out[c] += share * weights[p] * bytes[p] / scale;
        }
    }
    for (int c = 0; c < s->channels; c++) out[c] /= total;
    return 2 * 1.5 * (ties / total + 2 * precision) + 1e-6; // values are at most 1.5
}

static steno_memory *memory_of(const sample *s) {
    steno_memory *memory = steno_memory_create(s->heads, s->channels, s->positions, s->format);
    if (!memory) abort();
    return memory;
}

static steno_attention attention_of(const sample *s, const steno_memory *memory, float *out) {
    return (steno_attention){memory, scale(s), s->queries, width(s), s->rows, out, width(s)};
}

static float *attended(const sample *s, float *scores_of_first_head) {
    steno_memory *memory = memory_of(s);
    steno_memory_set(NULL, memory, s->keys, s->values, width(s), s->positions);
    float *out = blanks(s->rows * width(s));
    const steno_attention call = attention_of(s, memory, out);
    steno_attend(NULL, &call);
    if (scores_of_first_head) steno_attention_scores(&call, 0, scores_of_first_head, s->positions);
    steno_memory_destroy(memory);
    return out;
}

static void compare_row(
    operation *o, int table, const sample *s, int32_t row, const int32_t *slots, int32_t count, const float *out,
    const float *portable, double allowed, const char *where) {
    for (int32_t head = 0; head < s->heads; head++) {
        double expected[STENO_MAX_HEAD_WIDTH];
        define(s, row, head, slots, count, expected);
        for (int c = 0; c < s->channels; c++) {
            const int64_t at = row * width(s) + head * s->channels + c;
            compare(o, table, out[at], portable[at], (definition){expected[c], allowed}, where);
        }
    }
}

static void check(int32_t channels, int32_t positions, int32_t rows, double gain) {
    const sample s = random_sample(2, channels, positions, rows, gain);
    const char *where = text("%d channels, %d rows, %d positions, gain %g", channels, rows, positions, gain);
    const float *out[TABLES] = {NULL};
    float *score_rows[TABLES] = {NULL};
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        score_rows[t] = blanks((int64_t)rows * positions);
        out[t] = attended(&s, score_rows[t]);
        const int32_t some[] = {0, rows / 2, rows - 1};
        for (int i = 0; i < 3 && rows > 0; i++) {
            compare_row(&attention, t, &s, some[i], NULL, positions, out[t], out[0], gain > 1 ? 2e-4 : 4e-6, where);
            for (int32_t p = 0; p < positions; p++) {
                const int64_t at = (int64_t)some[i] * positions + p;
                const definition expected = {score(&s, some[i], p, 0), 1e-5 * fmax(1, gain)};
                compare(&scores, t, score_rows[t][at], score_rows[0][at], expected, where);
            }
        }
        for (int64_t i = 0; i < rows * width(&s); i++) {
            // Results for which the definition was not computed are compared with the portable table's.
            const definition expected = {out[0][i], gain > 1 ? 2e-4 : 4e-6};
            compare(&attention, t, out[t][i], out[0][i], expected, where);
        }
    }
    free_numbers();
}

static void compare_bytes(int table, const sample *s, const float *out, const float *portable, const char *where) {
    for (int32_t row = 0; row < s->rows; row++) {
        for (int32_t head = 0; head < s->heads; head++) {
            double expected[STENO_MAX_HEAD_WIDTH];
            const double bound = define_bytes(s, row, head, expected);
            for (int c = 0; c < s->channels; c++) {
                const int64_t at = row * width(s) + head * s->channels + c;
                compare(&attention8, table, out[at], portable[at], (definition){expected[c], bound}, where);
            }
        }
    }
}

// A memory is reused for fewer positions, and a row does not depend on the other rows.
static void check_reuse(steno_format format) {
    sample s = random_sample(2, 64, 300, 100, 1);
    s.format = format;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        steno_memory *memory = memory_of(&s);
        float *out = blanks(width(&s));
        const int32_t positions[] = {300, 33, 7, 64, 1, 300}, rows[] = {0, 50, 99, 11, 12, 13};
        for (int i = 0; i < 6; i++) {
            sample part = s;
            part.positions = positions[i];
            part.rows = 1;
            part.queries += rows[i] * width(&s);
            steno_memory_set(NULL, memory, s.keys, s.values, width(&s), positions[i]);
            const steno_attention call = attention_of(&part, memory, out);
            steno_attend(NULL, &call);
            if (format == STENO_INT8) {
                compare_bytes(t, &part, out, out, "a memory used again");
            } else {
                compare_row(&attention, t, &part, 0, NULL, positions[i], out, out, 4e-6, "a memory used again");
            }
        }
        steno_memory_destroy(memory);
    }
    free_numbers();
}

// A row's result does not depend on the rows beside it: counts around the tiles of every table.
static void check_company(steno_format format) {
    const int32_t counts[] = {2, 3, 5, 6, 7, 11, 12, 13, 40, 97, 100};
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        sample s = random_sample(2, 64, 300, counts[i], 1);
        s.format = format;
        const int32_t some[] = {0, counts[i] / 2, counts[i] - 1};
        for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
            const float *together = attended(&s, NULL);
            for (int k = 0; k < 3; k++) {
                sample one = s;
                one.rows = 1;
                one.queries += some[k] * width(&s);
                const bool is_same = same(attended(&one, NULL), together + some[k] * width(&s), width(&s));
                expect(is_same, t, "a row alone differs from the row among others", text("attention, %d rows", counts[i]));
            }
        }
        free_numbers();
    }
}

static void check_sample8(sample s, const char *where) {
    s.format = STENO_INT8;
    const float *out[TABLES] = {NULL}, *score_rows[TABLES] = {NULL};
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *scores = blanks((int64_t)s.rows * s.positions);
        out[t] = attended(&s, scores);
        score_rows[t] = scores;
        compare_bytes(t, &s, out[t], out[0], where);
        for (int32_t row = 0; row < s.rows; row++) {
            for (int32_t p = 0; p < s.positions; p++) {
                const int64_t at = (int64_t)row * s.positions + p;
                const double exact = byte_score(&s, row, p, 0);
                const definition expected = {exact, 1e-6 + 1e-6 * fabs(exact)};
                compare(&scores8, t, score_rows[t][at], score_rows[0][at], expected, where);
            }
        }
    }
    free_numbers();
}

static void check8(int32_t channels, int32_t positions, int32_t rows, double gain) {
    const sample s = random_sample(2, channels, positions, rows, gain);
    check_sample8(s, text("int8, %d channels, %d rows, %d positions, gain %g", channels, rows, positions, gain));
}

// Equal scores of any magnitude, whichever is the peak.
static void check_equal_scores(float gain) {
    sample s = random_sample(1, 64, 600, 4, 1);
    for (int i = 0; i < 4 * 64; i++) s.queries[i] = gain;
    for (int i = 0; i < 600 * 64; i++) s.keys[i] = 0.5f;
    check_sample8(s, "int8, equal scores");
}

// Blocks whose weights are all far below another block's keep their precision, since there are many of them: relative to
// the overall peak, each of these weights would round to 0.
static void check_many_small_weights(void) {
    sample s = random_sample(1, 64, 9 * STENO_BLOCK + 1, 1, 1);
    for (int i = 0; i < 64; i++) s.queries[i] = 1;
    for (int i = 0; i < s.positions * 64; i++) {
        const bool is_peak = i / 64 == s.positions - 1;
        s.keys[i] = is_peak ? 0.8635f : 0; // scores of ln 1000 and 0
        s.values[i] = is_peak ? 1 : -1;
    }
    s.format = STENO_INT8;
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        const float *out = attended(&s, NULL);
        double exact[STENO_MAX_HEAD_WIDTH];
        define(&s, 0, 0, NULL, s.positions, exact);
        for (int c = 0; c < 64; c++) {
            compare(&attention, t, out[c], out[c], (definition){exact[c], 1e-3}, "many small weights");
        }
    }
    check_sample8(s, "int8, many small weights");
}

// In int8, a query or a channel with a value that is not finite gives NaN; other heads and rows are unaffected.
static void check_damage(float value) {
    enum { POSITIONS = 300, ROWS = 3, WIDTH = 128 };
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        for (int kind = 0; kind < 3; kind++) {
            sample s = random_sample(2, 64, POSITIONS, ROWS, 1);
            s.format = STENO_INT8;
            float *before = blanks(ROWS * POSITIONS), *after = blanks(ROWS * POSITIONS);
            const float *expected = attended(&s, before);
            if (kind == 0) s.queries[WIDTH + 70] = value;
            if (kind == 1) s.values[200 * WIDTH + 5] = value;
            for (int p = 0; kind == 2 && p < POSITIONS; p++) s.keys[p * WIDTH + 127] = value;
            const float *out = attended(&s, after);
            for (int i = 0; i < ROWS * WIDTH; i++) {
                const bool second_head = i % WIDTH >= 64;
                const bool is_hit = kind == 0 ? i / WIDTH == 1 && second_head : kind == 1 ? i % WIDTH == 5 : second_head;
                expect(is_hit ? isnan(out[i]) : out[i] == expected[i], t, "NaN in the wrong place", "int8 attention");
            }
            expect(same(before, after, ROWS * POSITIONS), t, "the first head's scores changed", "int8 attention");
            free_numbers();
        }
    }
}

static void check_impossible_memories(void) {
    const int32_t shapes[][3] = {
        {0, 64, 10}, {1, 0, 10}, {1, 24, 10}, {1, 272, 10}, {1, 64, -1},
        // More bytes than 64 bits can count, and than any machine has.
        {INT32_MAX, 256, INT32_MAX - 128}, {1 << 20, 256, 1 << 30}};
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        for (int i = 0; i < 14; i++) {
            const int32_t *it = shapes[i / 2];
            const bool none = steno_memory_create(it[0], it[1], it[2], (steno_format)(i % 2)) == NULL;
            expect(none, t, "an impossible memory", text("%d heads of %d, %d positions", it[0], it[1], it[2]));
        }
        expect(steno_memory_create(1, 64, 10, STENO_BFLOAT16) == NULL, t, "a memory", "bfloat16");
    }
}

// Each row has its own list of slots, one that `lists` names, or, at stride 0, all the same one as in a prompt. In
// bfloat16, keys and values give exactly what the shortened numbers give in float32.
static void check_cached(int32_t channels, int32_t stride, const int32_t *lists, int32_t rows, const int32_t *lengths) {
    enum { SLOTS = 64 };
    const sample s = random_sample(2, channels, SLOTS, rows, 3);
    const int64_t count = SLOTS * width(&s);
    random_numbers random = {9};
    int32_t *slots = room((stride > 0 ? rows * stride : STENO_CACHED_POSITIONS) * 4);
    for (int32_t i = 0; i < (stride > 0 ? rows * stride : STENO_CACHED_POSITIONS); i++) {
        slots[i] = (int32_t)(next_number(&random) % SLOTS);
    }
    uint16_t *keys = room(count * 2), *values = room(count * 2);
    steno_narrow_bfloat16(s.keys, count, keys);
    steno_narrow_bfloat16(s.values, count, values);
    sample shortened = s;
    shortened.keys = blanks(count);
    shortened.values = blanks(count);
    steno_widen_bfloat16(keys, count, shortened.keys);
    steno_widen_bfloat16(values, count, shortened.values);
    for (int64_t i = 0; i < count; i++) {
        const double step = s.keys[i] == 0 ? 1 : ldexp(1, ilogbf(s.keys[i]) - 7);
        expect(shortened.keys[i] == (float)(nearbyint(s.keys[i] / step) * step), 0, "not the nearest", "bfloat16");
    }
    const float *portable[2] = {NULL};
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *out[3];
        for (int kind = 0; kind < 3; kind++) {
            const sample *from = kind == 0 ? &s : &shortened;
            out[kind] = blanks(rows * width(&s));
            const steno_cached_attention call = {
                .queries = s.queries, .query_stride = width(&s), .rows = rows, .heads = 2, .head_width = channels,
                .scale = scale(&s), .keys = kind == 2 ? (void *)keys : from->keys,
                .values = kind == 2 ? (void *)values : from->values,
                .format = kind == 2 ? STENO_BFLOAT16 : STENO_FLOAT32, .slot_stride = width(&s),
                .head_stride = channels, .slots = slots, .slots_stride = stride, .lengths = lengths, .out = out[kind],
                .out_stride = width(&s), .lists = lists};
            steno_attend_cached(NULL, &call);
            if (kind == 2) break;
            if (t == 0) portable[kind] = out[kind];
            for (int32_t row = 0; row < rows; row++) {
                const int32_t *seen = slots + (lists ? lists[row] : row) * stride;
                compare_row(&cached, t, from, row, seen, lengths[row], out[kind], portable[kind], 4e-6,
                    text("%d slots", stride));
            }
        }
        expect(same(out[1], out[2], rows * width(&s)), t, "not as in float32", "attention, cached in bfloat16");
    }
    free_numbers();
}

void test_attention(void) {
    const int32_t rows[] = {0, 1, 2, 5, 6, 7, 11, 12, 13, 24, 25, 47, 48, 49, 97};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) check(64, 37, rows[i], 1);
    const int32_t positions[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 255, 256, 257, 511, 513};
    for (size_t i = 0; i < sizeof(positions) / sizeof(*positions); i++) check(64, positions[i], 3, 1);
    const double gains[] = {30, 3000, 1e-6};
    for (int i = 0; i < 3; i++) check(64, 600, 4, gains[i]);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) check8(64, 37, rows[i], 3);
    const int32_t blocks[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 63, 127, 128, 129, 255, 257, 300};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) check8(64, blocks[i], 3, 3);
    check8(64, 600, 4, 1e-6);
    check8(64, 600, 4, 30);
    check8(64, 129, 6, 100);
    for (int i = 0; i < 4; i++) check_equal_scores((float[]){0, 1e-6f, 1, 1000}[i]);
    check_many_small_weights();
    check_damage(NAN);
    check_damage(INFINITY);
    check_impossible_memories();
    for (steno_format format = STENO_FLOAT32; format <= STENO_INT8; format++) {
        check_reuse(format);
        check_company(format);
    }
    int32_t prompt[30];
    for (int i = 0; i < 30; i++) prompt[i] = i + 1;
    const int32_t channels[] = {16, 32, 48, 80, 96, 128, 144, 256};
    for (size_t i = 0; i < sizeof(channels) / sizeof(*channels); i++) {
        check(channels[i], 37, 13, 1);
        check(channels[i], 300, 3, 1);
        check8(channels[i], 37, 13, 3);
        check8(channels[i], 300, 3, 3);
        check_cached(channels[i], 20, (int32_t[]){3, 0, 0, 2, 3}, 5, (int32_t[]){20, 1, 7, 13, 20});
        check_cached(channels[i], 0, NULL, 30, prompt);
    }
    check_cached(64, 0, NULL, 30, prompt);
    check_cached(64, 1, NULL, 5, (int32_t[]){1, 1, 1, 1, 1});
    check_cached(64, 65, NULL, 9, (int32_t[]){1, 2, 15, 16, 17, 63, 64, 65, 50});
    check_cached(64, STENO_CACHED_POSITIONS, NULL, 5, (int32_t[]){512, 511, 4, 5, 257});
    report(&attention);
    report(&scores);
    report(&attention8);
    report(&scores8);
    report(&cached);
}
