// Geometries of log-mel features and their tables.
#include "kernels.h"
#include "logmel_tables.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

logmel_400 steno_log_mel_400;

static steno_log_mel whisper;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// All tables derive from the 400th roots of unity. A double multiplied 400 times stays within 1e-13 of them.
static void fill_tables(void) {
    logmel_400 *tables = &steno_log_mel_400;
    const double step_re = 0x1.ffefd47916312p-1, step_im = -0x1.0159438a60e6fp-6;  // exp(-2πi / 400)
    double re[FRAME_400], im[FRAME_400];
    re[0] = 1;
    im[0] = 0;
    for (int n = 1; n < FRAME_400; n++) {
        re[n] = re[n - 1] * step_re - im[n - 1] * step_im;
        im[n] = re[n - 1] * step_im + im[n - 1] * step_re;
    }
    for (int n = 0; n < FRAME_400; n++) tables->window[n] = (float)(0.5 - 0.5 * re[n]) * 0.5f;
    for (int b = 0; b < 5; b++) {
        for (int c = 0; c < 5; c++) {
            tables->twiddle_re[5 * b + c] = (float)re[16 * b * c];
            tables->twiddle_im[5 * b + c] = (float)im[16 * b * c];
        }
    }
    for (int k = 0; k <= POINTS_200 / 2; k++) {
        tables->untangle_re[k] = (float)re[k];
        tables->untangle_im[k] = (float)im[k];
    }
    for (int k = 0; k < POINTS_200; k++) {
        const int bin = k % 25;
        tables->input_slot[k] = (uint8_t)(k % 8 + 8 * (22 * k % 25));  // 22 · 8 = 1 modulo 25
        tables->output_slot[k] = (uint8_t)(k % 8 + 8 * (5 * (bin % 5) + bin / 5));
    }
}

static void set_logarithm(steno_log_mel *plan, const steno_log_mel_geometry *geometry) {
    const bool natural = geometry->logarithm == STENO_LOG_NATURAL;
    plan->guard = geometry->guard;
    plan->floor = geometry->floor;
    plan->log_2 = natural ? 0x1.62ep-1f : 0x1.344p-2f;
    plan->log_2_rest = natural ? 0x1.0bfbe8p-15f : 0x1.3509f8p-18f;
    plan->twice_log_e = natural ? 2.0f : 0x1.bcb7b2p-1f;
    const double energy = fmax(geometry->guard, geometry->floor);
    plan->least = (float)(natural ? log(energy) : log10(energy));
}

static void prepare(void) {
    fill_tables();
    whisper.fft_length = whisper.frame_length = FRAME_400;
    whisper.hop = 160;
    whisper.window = steno_log_mel_400.window;
    set_logarithm(&whisper, &(steno_log_mel_geometry){.logarithm = STENO_LOG10, .floor = 1e-10f});
}

const steno_log_mel *steno_log_mel_whisper(void) {
    pthread_once(&once, prepare);
    return &whisper;
}

// Factorises the number of points for the passes, fours first; returns false if a factor is too large.
static bool factorize(steno_log_mel *plan) {
    int32_t points = plan->fft_length / 2;
    for (; points % 4 == 0; points /= 4) plan->radix[plan->passes++] = 4;
    for (int32_t radix = 2; radix <= LARGEST_RADIX; radix++) {
        for (; points % radix == 0; points /= radix) plan->radix[plan->passes++] = radix;
    }
    return points == 1;
}

static bool is_possible(const steno_log_mel_geometry *g) {
    return g->fft_length >= 2 && g->fft_length <= STENO_LOG_MEL_FFT && g->fft_length % 2 == 0 && g->frame_length >= 1
        && g->frame_length <= g->fft_length && g->hop >= 1 && g->guard >= 0 && g->floor >= 0 && isfinite(g->guard)
        && isfinite(g->floor) && fmaxf(g->guard, g->floor) >= 1e-37f;
}

steno_log_mel *steno_log_mel_create(const steno_log_mel_geometry *geometry) {
    if (!is_possible(geometry)) return NULL;
    steno_log_mel_whisper(); // fills the tables of its transform
    const int32_t length = geometry->frame_length, points = geometry->fft_length / 2;
    // The plan and its tables are one allocation.
    steno_log_mel *plan = calloc(1, sizeof(*plan) + ((size_t)length + 3 * (size_t)points + 2) * sizeof(float));
    if (!plan) return NULL;
    plan->fft_length = geometry->fft_length;
    plan->frame_length = length;
    plan->hop = geometry->hop;
    set_logarithm(plan, geometry);
    if (!factorize(plan)) {
        steno_log_mel_destroy(plan);
        return NULL;
    }
    float *window = (float *)(plan + 1), *root_re = window + length, *root_im = root_re + points;
    float *untangle_re = root_im + points, *untangle_im = untangle_re + points / 2 + 1;
    const double turn = 2 * 3.14159265358979323846;
    for (int32_t n = 0; n < length; n++) {
        const float hann = (float)(0.5 - 0.5 * cos(turn * n / length));
        window[n] = (geometry->window ? geometry->window[n] : hann) * 0.5f;
    }
    for (int32_t n = 0; n < points; n++) {
        root_re[n] = (float)cos(turn * n / points);
        root_im[n] = (float)-sin(turn * n / points);
    }
    for (int32_t k = 0; k <= points / 2; k++) {
        untangle_re[k] = (float)cos(turn * k / plan->fft_length);
        untangle_im[k] = (float)-sin(turn * k / plan->fft_length);
    }
    plan->window = window;
    plan->root_re = root_re;
    plan->root_im = root_im;
    plan->untangle_re = untangle_re;
    plan->untangle_im = untangle_im;
    return plan;
}

void steno_log_mel_destroy(steno_log_mel *log_mel) { free(log_mel); }

// Uses the first kernel in the list that supports the geometry; the last supports any.
static float compute(
    const steno_log_mel_kernel *kernel, const steno_log_mel *plan, const float *samples, ptrdiff_t frames,
    const steno_mel_filters *filters, float *rows) {
    if (frames <= 0) return plan->least;
    while (kernel->fft_length
           && (kernel->fft_length != plan->fft_length || kernel->frame_length != plan->frame_length)) {
        kernel++;
    }
    return kernel->compute(plan, samples, frames, filters, rows);
}

float steno_log_mel_compute(
    const steno_log_mel *log_mel, const float *samples, ptrdiff_t frames, const steno_mel_filters *filters,
    float *rows) {
    return compute(steno_kernels_current()->log_mel, log_mel, samples, frames, filters, rows);
}

float steno_log_mel_compute_portable(
    const steno_log_mel *log_mel, const float *samples, ptrdiff_t frames, const steno_mel_filters *filters,
    float *rows) {
    return compute(steno_log_mel_portable, log_mel, samples, frames, filters, rows);
}

void steno_log_mel_normalize(const float *rows, ptrdiff_t count, float maximum, float *out) {
    const float floor = maximum - 8.0f;
    for (ptrdiff_t i = 0; i < count; i++) {
        const float value = rows[i] > floor ? rows[i] : floor;
        out[i] = (value + 4.0f) / 4.0f;
    }
}

void steno_pre_emphasis(const float *x, ptrdiff_t count, float coefficient, float previous, float *y) {
    for (ptrdiff_t n = 0; n < count; n++) {
        const float sample = x[n];
        y[n] = sample - coefficient * previous;
        previous = sample;
    }
}
