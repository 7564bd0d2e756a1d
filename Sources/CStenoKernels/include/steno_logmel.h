// Log-mel features: frames of audio in, rows of log mel energies out.
#ifndef STENO_LOGMEL_H
#define STENO_LOGMEL_H

#include <stddef.h>
#include <stdint.h>

/// The longest Fourier transform of a frame.
enum { STENO_LOG_MEL_FFT = 2048 };

/// Mel filters, each a run of weights over neighbouring bins; all other weights are zero.
typedef struct {
    ptrdiff_t count;             // number of filters
    const int32_t *first_bin;    // [count] the bin of a filter's first weight, of fft_length / 2 + 1 bins
    const int32_t *weight_start; // [count + 1] where a filter's weights begin in `weights`; the last is their number
    const float *weights;
} steno_mel_filters;

typedef enum {
    STENO_LOG10 = 0,
    STENO_LOG_NATURAL = 1,
} steno_logarithm;

/// The parameters of log-mel features.
///
/// A frame's samples are multiplied by the window and padded with zeros to the transform's length. (Zeros in front, as
/// for a window centred in a longer transform, would not change the power spectrum.) A feature is log(max(energy +
/// guard, floor)) of a filter's energy.
typedef struct {
    /// Even, at most STENO_LOG_MEL_FFT, and without prime factors beyond 31.
    int32_t fft_length;
    /// From 1 to fft_length.
    int32_t frame_length;
    /// Samples from one frame to the next, at least 1.
    int32_t hop;
    /// [frame_length], copied; NULL is the periodic Hann window. FastConformer's is symmetric.
    const float *window;
    steno_logarithm logarithm;
    /// Not negative, and at least one of them 1e-37 or more, so that the logarithm of 0 is never taken.
    float guard, floor;
} steno_log_mel_geometry;

/// A geometry with its precomputed tables.
typedef struct steno_log_mel steno_log_mel;

/// Prepares a geometry; NULL if there is not enough memory or the geometry is not supported.
steno_log_mel *steno_log_mel_create(const steno_log_mel_geometry *geometry);
void steno_log_mel_destroy(steno_log_mel *log_mel);

/// Whisper's geometry: transforms of 400 samples, 160 apart, a periodic Hann window, log10(max(energy, 1e-10)).
///
/// It must not be destroyed. Geometries of 400 samples have a specialised, faster transform.
const steno_log_mel *steno_log_mel_whisper(void);

/// Writes the features of `frames` frames into `rows` [frames][filters->count], and returns the largest value written,
/// or the value of an energy of 0 if there are no frames.
///
/// Reads (frames − 1) · hop + frame_length samples. A row depends only on its frame's samples, so audio may be split
/// between any two frames and computed in parallel. Samples that are not finite give the value of an energy of 0 or a
/// large value, never a NaN.
float steno_log_mel_compute(
    const steno_log_mel *log_mel, const float *samples, ptrdiff_t frames, const steno_mel_filters *filters, float *rows);

/// The same in the portable instruction set, whatever the processor supports.
float steno_log_mel_compute_portable(
    const steno_log_mel *log_mel, const float *samples, ptrdiff_t frames, const steno_mel_filters *filters, float *rows);

/// Normalises to Whisper's range: out = (max(row, maximum − 8) + 4) / 4 for `count` values.
void steno_log_mel_normalize(const float *rows, ptrdiff_t count, float maximum, float *out);

/// Pre-emphasis, y[n] = x[n] − coefficient · x[n − 1], where x[−1] is `previous`. y may be x.
///
/// For FastConformer (Parakeet, Nemotron), which uses it before its features with a coefficient of 0.97; Whisper does
/// not.
void steno_pre_emphasis(const float *x, ptrdiff_t count, float coefficient, float previous, float *y);

#endif
