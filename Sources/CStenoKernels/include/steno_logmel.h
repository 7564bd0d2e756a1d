// The arithmetic of Whisper's log-mel features: frames of sound in, rows of log10 mel energies out.
#ifndef STENO_LOGMEL_H
#define STENO_LOGMEL_H

#include <stddef.h>
#include <stdint.h>

enum {
    STENO_LOGMEL_FRAME = 400,  // samples a frame looks at: 25 ms at 16 kHz
    STENO_LOGMEL_HOP = 160,    // samples from one frame to the next: 10 ms
    STENO_LOGMEL_BINS = 201,   // bins of the spectrum, 0 to 8000 Hz in steps of 40 Hz
};

/// Mel filters, each a run of weights over neighbouring bins; everything else is zero.
typedef struct {
    ptrdiff_t count;             // number of filters
    const int32_t *first_bin;    // [count] the bin of a filter's first weight
    const int32_t *weight_start; // [count + 1] where a filter's weights begin in `weights`; the last is their number
    const float *weights;
} steno_mel_filters;

/// Writes log10(max(mel energy, 1e-10)) of `frames` frames, which start every STENO_LOGMEL_HOP samples, into
/// `log_mel` [frames][filters->count], and returns the largest value written (-10 when there are no frames).
///
/// Reads (frames - 1) * STENO_LOGMEL_HOP + STENO_LOGMEL_FRAME samples. A frame's row depends on its 400 samples only,
/// so a sound may be cut between any two frames and its parts computed at once. Samples that are not finite give the
/// floor or a large value, never a NaN.
float steno_logmel(const float *samples, ptrdiff_t frames, const steno_mel_filters *filters, float *log_mel);

/// The same with the instructions every processor of the architecture has, whatever this one offers.
float steno_logmel_portable(const float *samples, ptrdiff_t frames, const steno_mel_filters *filters, float *log_mel);

/// Whisper's range: out = (max(log_mel, maximum - 8) + 4) / 4 for `count` values.
void steno_logmel_normalize(const float *log_mel, ptrdiff_t count, float maximum, float *out);

#endif
