// Shared by all variants of the log-mel computation: a geometry's tables, and those of the transform of 400 points.
#ifndef STENO_LOGMEL_TABLES_H
#define STENO_LOGMEL_TABLES_H

#include "include/steno_logmel.h"

enum {
    FRAME_400 = 400,
    POINTS_200 = 200, // a real transform of 400 points is a complex one of 200
    MOST_POINTS = STENO_LOG_MEL_FFT / 2,
    LARGEST_RADIX = 31,
    MOST_PASSES = 10,
};

struct steno_log_mel {
    int32_t fft_length, frame_length, hop;
    float guard, floor;
    // log 2 in two parts, the first so short that its product with an exponent is exact, and twice log e
    float log_2, log_2_rest, twice_log_e;
    float least; // the logarithm of an energy of 0
    // [frame_length], halved: the split into a real spectrum then needs no factor
    const float *window;
    // The rest is NULL where a kernel has tables of its own.
    const float *root_re, *root_im;         // [n] = exp(−2πi·n / points), [points]
    const float *untangle_re, *untangle_im; // [k] = exp(−2πi·k / fft_length), [points / 2 + 1]
    int32_t passes, radix[MOST_PASSES];     // the factors of the complex transform's points
};

typedef struct {
    float window[FRAME_400]; // periodic Hann, halved
    float twiddle_re[25], twiddle_im[25];                                    // [b * 5 + c] = exp(−2πi·b·c / 25)
    float untangle_re[POINTS_200 / 2 + 1], untangle_im[POINTS_200 / 2 + 1];  // [k] = exp(−2πi·k / 400)
    uint8_t input_slot[POINTS_200];  // where complex sample n goes before the transform
    uint8_t output_slot[POINTS_200]; // where the transform leaves bin k
} logmel_400;

/// The tables for 400 points, filled by steno_log_mel_create and steno_log_mel_whisper.
extern logmel_400 steno_log_mel_400;

#endif
