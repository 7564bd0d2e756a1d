#include "tests.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__aarch64__)
enum { SAME_BITS = true };
#else
enum { SAME_BITS = false }; // AVX2 adds and multiplies in one rounding.
#endif
static operation rows = {.name = "log-mel", .same_bits = SAME_BITS};
static operation other_rows = {.name = "log-mel, other geometries", .same_bits = SAME_BITS};
static operation normalized = {.name = "log-mel, normalised", .same_bits = SAME_BITS};

enum { FILTERS = 83, RUN = 5 };

// Runs of weights that cover all bins; their number is not a multiple of a vector.
static steno_mel_filters make_filters(int bins) {
    static int32_t first[FILTERS], start[FILTERS + 1];
    static float weights[FILTERS * RUN];
    for (int f = 0; f < FILTERS; f++) {
        first[f] = f * (bins - RUN) / (FILTERS - 1);
        start[f + 1] = start[f] + 1 + f % RUN;
        for (int i = start[f]; i < start[f + 1]; i++) weights[i] = 0.02f / (float)(1 + i - start[f]);
    }
    return (steno_mel_filters){FILTERS, first, start, weights};
}

// No fast transform.
static void define_frame(
    const steno_log_mel_geometry *g, const float *samples, const steno_mel_filters *filters, double out[FILTERS]) {
    const double turn = 2 * 3.14159265358979323846;
    double power[g->fft_length / 2 + 1], cosines[g->fft_length], sines[g->fft_length];
    for (int i = 0; i < g->fft_length; i++) {
        cosines[i] = cos(turn * i / g->fft_length);
        sines[i] = sin(turn * i / g->fft_length);
    }
    double windowed[g->frame_length];
    for (int n = 0; n < g->frame_length; n++) {
        windowed[n] = samples[n] * (g->window ? g->window[n] : 0.5 - 0.5 * cos(turn * n / g->frame_length));
    }
    for (int bin = 0; bin <= g->fft_length / 2; bin++) {
        double re = 0, im = 0;
        for (int n = 0; n < g->frame_length; n++) {
            re += windowed[n] * cosines[bin * n % g->fft_length];
            im += windowed[n] * sines[bin * n % g->fft_length];
        }
        power[bin] = re * re + im * im;
    }
    for (int f = 0; f < FILTERS; f++) {
        double energy = g->guard;
        const float *weights = filters->weights + filters->weight_start[f];
        const int count = filters->weight_start[f + 1] - filters->weight_start[f];
        for (int i = 0; i < count; i++) energy += weights[i] * power[filters->first_bin[f] + i];
        energy = fmax(energy, g->floor);
        out[f] = g->logarithm == STENO_LOG_NATURAL ? log(energy) : log10(energy);
    }
}

static const steno_log_mel_geometry whisper = {400, 400, 160, NULL, STENO_LOG10, 0, 1e-10f};

static void check(
    operation *o, const steno_log_mel *plan, const steno_log_mel_geometry *g, int frames, double gain, double allowed) {
    const steno_mel_filters filters = make_filters(g->fft_length / 2 + 1);
    const char *where = text("%d of %d samples", g->frame_length, g->fft_length);
    random_numbers random = {4};
    const float *samples = uniform(&random, (frames - 1) * g->hop + g->frame_length, 0, gain);
    float *portable = blanks(frames * FILTERS);
    steno_log_mel_compute_portable(plan, samples, frames, &filters, portable);
    double expected[frames][FILTERS];
    for (int i = 0; i < frames; i++) define_frame(g, samples + i * g->hop, &filters, expected[i]);
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *out = blanks(frames * FILTERS);
        const float maximum = steno_log_mel_compute(plan, samples, frames, &filters, out);
        float largest = -FLT_MAX;
        for (int i = 0; i < frames * FILTERS; i++) {
            const definition definition = {expected[i / FILTERS][i % FILTERS], allowed};
            compare(o, t, out[i], portable[i], definition, where);
            largest = fmaxf(largest, out[i]);
        }
        expect(maximum == largest, t, "not the largest value", where);
        float *range = blanks(frames * FILTERS);
        steno_log_mel_normalize(out, frames * FILTERS, maximum, range);
        for (int i = 0; i < frames * FILTERS; i++) {
            const float formula = (fmaxf(out[i], maximum - 8) + 4) / 4;
            compare(&normalized, t, range[i], formula, (definition){formula, 1e-7}, "log-mel");
        }
    }
    free_numbers();
}

// Silence gives the logarithm of guard or floor, no frames write nothing, and samples that are not finite give finite
// features.
static void check_edges(const steno_log_mel *plan, const steno_log_mel_geometry *g) {
    const steno_mel_filters filters = make_filters(g->fft_length / 2 + 1);
    const double least = fmax(g->guard, g->floor);
    // Whisper's silence is exactly the number that its models know.
    const bool is_whisper = plan == steno_log_mel_whisper();
    const double silence = is_whisper ? -10 : g->logarithm == STENO_LOG_NATURAL ? log(least) : log10(least);
    const double allowed = is_whisper ? 0 : 1e-5;
    const float odd[] = {0, NAN, INFINITY, -INFINITY, FLT_MAX};
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        for (int i = 0; i < 5; i++) {
            float *samples = room((2 * g->hop + g->frame_length) * (int64_t)sizeof(float)), *out = blanks(3 * FILTERS);
            samples[g->hop + 3] = odd[i];
            const float maximum = steno_log_mel_compute(plan, samples, 3, &filters, out);
            bool right = isfinite(maximum);
            for (int k = 0; k < 3 * FILTERS; k++) {
                right = right && (i == 0 ? fabs(out[k] - silence) <= allowed : isfinite(out[k]) != 0);
            }
            expect(right, t, i == 0 ? "silence is not the floor" : "not a number", "log-mel");
            free_numbers();
        }
        const bool none = fabs(steno_log_mel_compute(plan, room(0), 0, &filters, room(0)) - silence) <= allowed;
        expect(none, t, "no frames have a maximum", "log-mel");
        free_numbers();
    }
}

static void check_geometry(steno_log_mel_geometry geometry) {
    float window[STENO_LOG_MEL_FFT];
    for (int n = 0; n < geometry.frame_length; n++) window[n] = 0.3f + 0.7f * (float)n / (float)geometry.frame_length;
    for (int own = 0; own < 2; own++) {
        geometry.window = own ? window : NULL;
        steno_log_mel *plan = steno_log_mel_create(&geometry);
        if (!plan) abort();
        const int frames[] = {1, 3, 4, 8, 9};
        for (int i = 0; i < 5; i++) check(&other_rows, plan, &geometry, frames[i], 0.5, 5e-5);
        check_edges(plan, &geometry);
        steno_log_mel_destroy(plan);
    }
}

// Blocks can be split over threads: the result is bit-identical wherever they are cut.
static void check_cuts(void) {
    enum { FRAMES = 41, COUNT = FRAMES * FILTERS };
    const steno_mel_filters filters = make_filters(201);
    random_numbers random = {6};
    const float *samples = uniform(&random, (FRAMES - 1) * 160 + 400, 0, 0.3);
    const int cuts[] = {1, 3, 8, 13, 40};
    for (int t = next_table(-1); t < TABLES; t = next_table(t)) {
        float *whole = blanks(COUNT), *parts = blanks(COUNT);
        steno_log_mel_compute(steno_log_mel_whisper(), samples, FRAMES, &filters, whole);
        for (int i = 0; i < 5; i++) {
            const int cut = cuts[i];
            steno_log_mel_compute(steno_log_mel_whisper(), samples, cut, &filters, parts);
            steno_log_mel_compute(
                steno_log_mel_whisper(), samples + cut * 160, FRAMES - cut, &filters, parts + cut * FILTERS);
            expect(same(whole, parts, COUNT), t, text("another result when cut at %d", cut), "log-mel");
        }
    }
    free_numbers();
}

static void check_impossible_geometries(void) {
    const steno_log_mel_geometry none[] = {
        {511, 400, 160, NULL, STENO_LOG10, 0, 1e-10f}, {4096, 400, 160, NULL, STENO_LOG10, 0, 1e-10f},
        {2 * 37, 74, 160, NULL, STENO_LOG10, 0, 1e-10f}, {512, 513, 160, NULL, STENO_LOG10, 0, 1e-10f},
        {512, 0, 160, NULL, STENO_LOG10, 0, 1e-10f}, {512, 400, 0, NULL, STENO_LOG10, 0, 1e-10f},
        {512, 400, 160, NULL, STENO_LOG10, 0, 0}, {512, 400, 160, NULL, STENO_LOG10, 0, NAN},
        {512, 400, 160, NULL, STENO_LOG10, -1, 1e-10f}, {512, 400, 160, NULL, STENO_LOG10, INFINITY, 1e-10f}};
    for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
        expect(steno_log_mel_create(&none[i]) == NULL, 0, "an impossible geometry", text("number %d", (int)i));
    }
}

static void check_pre_emphasis(void) {
    float y[] = {1, 2, -1};
    steno_pre_emphasis(y, 3, 0.5f, 4, y);
    expect(y[0] == -1 && y[1] == 1.5f && y[2] == -2, 0, "not less half of the one before", "pre-emphasis");
}

void test_logmel(void) {
    const int frames[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17};
    for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
        check(&rows, steno_log_mel_whisper(), &whisper, frames[i], 0.5, 4e-6);
    }
    // Energies from far below the floor to that of a full-scale square wave.
    for (int power = -24; power <= 1; power++) {
        check(&rows, steno_log_mel_whisper(), &whisper, 5, ldexp(1, power), 4e-6);
    }
    check_cuts();
    check_edges(steno_log_mel_whisper(), &whisper);
    check_impossible_geometries();
    check_pre_emphasis();
    check_geometry((steno_log_mel_geometry){512, 400, 160, NULL, STENO_LOG_NATURAL, 0x1p-24f, 0});
    check_geometry((steno_log_mel_geometry){320, 320, 160, NULL, STENO_LOG10, 0, 1e-10f});
    check_geometry((steno_log_mel_geometry){400, 400, 200, NULL, STENO_LOG_NATURAL, 1e-6f, 1e-5f});
    check_geometry((steno_log_mel_geometry){400, 333, 100, NULL, STENO_LOG10, 0, 1e-10f});
    check_geometry((steno_log_mel_geometry){2 * 3 * 7 * 31, 501, 99, NULL, STENO_LOG10, 0, 1e-10f});
    check_geometry((steno_log_mel_geometry){2048, 1764, 441, NULL, STENO_LOG10, 0, 1e-10f});
    check_geometry((steno_log_mel_geometry){22, 22, 30, NULL, STENO_LOG10, 0, 1e-10f});
    report(&rows);
    report(&other_rows);
    report(&normalized);
}
