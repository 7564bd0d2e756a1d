// The log-mel arithmetic for any processor (four frames at once), its tables, and the choice between the variants.
#define LANES 4
#define LOGMEL_BODY steno_logmel_body_portable
#include "body/logmel.h"

#include "kernels.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static logmel_tables tables;
static logmel_function *chosen;

// Every table comes from the 400th roots of unity. A double that turns 400 times stays within 1e-13 of them, which
// spares the C target the mathematics library.
static void fill_tables(void) {
    const double step_re = 0x1.ffefd47916312p-1, step_im = -0x1.0159438a60e6fp-6;  // exp(-2πi / 400)
    double re[STENO_LOGMEL_FRAME], im[STENO_LOGMEL_FRAME];
    re[0] = 1;
    im[0] = 0;
    for (int n = 1; n < STENO_LOGMEL_FRAME; n++) {
        re[n] = re[n - 1] * step_re - im[n - 1] * step_im;
        im[n] = re[n - 1] * step_im + im[n - 1] * step_re;
    }
    for (int n = 0; n < STENO_LOGMEL_FRAME; n++) tables.window[n] = (float)(0.5 - 0.5 * re[n]) * 0.5f;
    for (int b = 0; b < 5; b++) {
        for (int c = 0; c < 5; c++) {
            tables.twiddle_re[5 * b + c] = (float)re[16 * b * c];
            tables.twiddle_im[5 * b + c] = (float)im[16 * b * c];
        }
    }
    for (int k = 0; k <= POINTS / 2; k++) {
        tables.untangle_re[k] = (float)re[k];
        tables.untangle_im[k] = (float)im[k];
    }
    for (int k = 0; k < POINTS; k++) {
        const int bin = k % 25;
        tables.input_slot[k] = (uint8_t)(k % 8 + 8 * (22 * k % 25));  // 22 · 8 = 1 modulo 25
        tables.output_slot[k] = (uint8_t)(k % 8 + 8 * (5 * (bin % 5) + bin / 5));
    }
}

static void prepare(void) {
    fill_tables();
    chosen = steno_logmel_body_portable;
#if defined(__x86_64__)
    // Wider vectors would not pay: sixteen frames' spectra leave the first-level cache.
    if (steno_kernels_current() != &steno_kernels_portable) chosen = steno_logmel_body_avx2;
#elif defined(__aarch64__)
    if (steno_kernels_current() != &steno_kernels_portable) chosen = steno_logmel_body_neon;
#endif
}

float steno_logmel(const float *samples, ptrdiff_t frames, const steno_mel_filters *filters, float *log_mel) {
    pthread_once(&once, prepare);
    return chosen(samples, frames, filters, &tables, log_mel);
}

float steno_logmel_portable(const float *samples, ptrdiff_t frames, const steno_mel_filters *filters, float *log_mel) {
    pthread_once(&once, prepare);
    return steno_logmel_body_portable(samples, frames, filters, &tables, log_mel);
}

void steno_logmel_normalize(const float *log_mel, ptrdiff_t count, float maximum, float *out) {
    const float floor = maximum - 8.0f;
    for (ptrdiff_t i = 0; i < count; i++) {
        const float value = log_mel[i] > floor ? log_mel[i] : floor;
        out[i] = (value + 4.0f) / 4.0f;
    }
}
