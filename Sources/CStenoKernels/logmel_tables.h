// What every variant of the log-mel arithmetic shares: the tables, and the names of the variants.
#ifndef STENO_LOGMEL_TABLES_H
#define STENO_LOGMEL_TABLES_H

#include "steno_logmel.h"

enum {
    POINTS = STENO_LOGMEL_FRAME / 2,  // a real transform of 400 points is a complex one of 200
};

typedef struct {
    float window[STENO_LOGMEL_FRAME];  // periodic Hann, halved: the split into a real spectrum then needs no factor
    float twiddle_re[25], twiddle_im[25];  // [b * 5 + c] = exp(-2πi·b·c / 25)
    float untangle_re[POINTS / 2 + 1], untangle_im[POINTS / 2 + 1];  // [k] = exp(-2πi·k / 400)
    uint8_t input_slot[POINTS];   // where complex sample n goes before the transform
    uint8_t output_slot[POINTS];  // where the transform leaves bin k
} logmel_tables;

typedef float logmel_function(const float *samples, ptrdiff_t frames, const steno_mel_filters *filters,
                              const logmel_tables *tables, float *log_mel);

logmel_function steno_logmel_body_portable;
#if defined(__x86_64__)
logmel_function steno_logmel_body_avx2;
#elif defined(__aarch64__)
logmel_function steno_logmel_body_neon;
#endif

#endif
