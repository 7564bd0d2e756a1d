// Log-mel has two variants on arm64, with four frames at once and with eight. Which one runs is settled at the first
// call, so these tests use the best table that was selected, and the portable variant by its name.
#include "tests.h"

#include <float.h>
#include <math.h>
#include <string.h>

static operation rows = {.name = "log-mel", .same_bits = true};
static operation normalized = {.name = "log-mel, normalised", .same_bits = true};

enum { FILTERS = 83, RUN = 5 };
typedef float logmel(const float *samples, ptrdiff_t frames, const steno_mel_filters *filters, float *out);

// Runs of weights that cover all bins; their number is no multiple of a vector.
static steno_mel_filters make_filters(void) {
    static int32_t first[FILTERS], start[FILTERS + 1];
    static float weights[FILTERS * RUN];
    for (int f = 0; f < FILTERS; f++) {
        first[f] = f * (STENO_LOGMEL_BINS - RUN) / (FILTERS - 1);
        start[f + 1] = start[f] + 1 + f % RUN;
        for (int i = start[f]; i < start[f + 1]; i++) weights[i] = 0.02f / (float)(1 + i - start[f]);
    }
    return (steno_mel_filters){FILTERS, first, start, weights};
}

// No fast transform, no table.
static void define_frame(const float *samples, const steno_mel_filters *filters, double out[FILTERS]) {
    const double turn = 2 * 3.14159265358979323846 / STENO_LOGMEL_FRAME;
    double cosines[STENO_LOGMEL_FRAME], sines[STENO_LOGMEL_FRAME], power[STENO_LOGMEL_BINS];
    for (int n = 0; n < STENO_LOGMEL_FRAME; n++) {
        cosines[n] = cos(turn * n);
        sines[n] = sin(turn * n);
    }
    for (int bin = 0; bin < STENO_LOGMEL_BINS; bin++) {
        double re = 0, im = 0;
        for (int n = 0; n < STENO_LOGMEL_FRAME; n++) {
            const double windowed = samples[n] * (0.5 - 0.5 * cosines[n]);
            re += windowed * cosines[bin * n % STENO_LOGMEL_FRAME];
            im += windowed * sines[bin * n % STENO_LOGMEL_FRAME];
        }
        power[bin] = re * re + im * im;
    }
    for (int f = 0; f < FILTERS; f++) {
        double energy = 0;
        const float *weights = filters->weights + filters->weight_start[f];
        const int count = filters->weight_start[f + 1] - filters->weight_start[f];
        for (int i = 0; i < count; i++) energy += weights[i] * power[filters->first_bin[f] + i];
        out[f] = log10(fmax(energy, 1e-10));
    }
}

static void check(int frames, double gain, const bool selected[TABLES]) {
    const steno_mel_filters filters = make_filters();
    random_numbers random = {4};
    const float *samples = uniform(&random, (frames - 1) * STENO_LOGMEL_HOP + STENO_LOGMEL_FRAME, 0, gain);
    float *portable = blanks(frames * FILTERS);
    for (int t = 0; t < TABLES; t++) {
        if (!selected[t]) continue;
        float *out = t == 0 ? portable : blanks(frames * FILTERS);
        logmel *compute = t == 0 ? steno_logmel_portable : steno_logmel;
        const float maximum = compute(samples, frames, &filters, out);
        float largest = -10;
        for (int frame = 0; frame < frames; frame++) {
            double expected[FILTERS];
            define_frame(samples + frame * STENO_LOGMEL_HOP, &filters, expected);
            for (int f = 0; f < FILTERS; f++) {
                const int at = frame * FILTERS + f;
                compare(&rows, t, out[at], portable[at], (definition){expected[f], 4e-6}, "log-mel");
                largest = fmaxf(largest, out[at]);
            }
        }
        expect(maximum == largest, t, "not the largest value", "log-mel");
        float *range = blanks(frames * FILTERS);
        steno_logmel_normalize(out, frames * FILTERS, maximum, range);
        for (int i = 0; i < frames * FILTERS; i++) {
            const float formula = (fmaxf(out[i], maximum - 8) + 4) / 4;
            compare(&normalized, t, range[i], formula, (definition){formula, 1e-7}, "log-mel");
        }
    }
    free_numbers();
}

// Silence is the floor, no frames write nothing, and what is no number gives a number.
static void check_edges(const bool selected[TABLES]) {
    const steno_mel_filters filters = make_filters();
    const float odd[] = {0, NAN, INFINITY, -INFINITY, FLT_MAX};
    for (int t = 0; t < TABLES; t++) {
        if (!selected[t]) continue;
        logmel *compute = t == 0 ? steno_logmel_portable : steno_logmel;
        for (int i = 0; i < 5; i++) {
            float *samples = room((2 * STENO_LOGMEL_HOP + STENO_LOGMEL_FRAME) * sizeof(float)), *out = blanks(3 * FILTERS);
            samples[500] = odd[i];
            const float maximum = compute(samples, 3, &filters, out);
            bool right = isfinite(maximum);
            for (int k = 0; k < 3 * FILTERS; k++) right = right && (i == 0 ? out[k] == -10 : isfinite(out[k]) != 0);
            expect(right, t, i == 0 ? "silence is not the floor" : "not a number", "log-mel");
            free_numbers();
        }
        expect(compute(room(0), 0, &filters, room(0)) == -10, t, "no frames have a maximum", "log-mel");
        free_numbers();
    }
}

void test_logmel(const bool selected[TABLES]) {
    for (int t = 0; t < TABLES; t++) if (selected[t]) use_table(t);
    const int frames[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17};
    for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) check(frames[i], 0.5, selected);
    check(5, 1e-4, selected);
    check_edges(selected);
    report(&rows, selected);
    report(&normalized, selected);
}
