// The log-mel computation for LANES frames at once, one frame per vector lane, so that only loading and storing cross
// lanes. Included once for every instruction set, with LANES (4 or 8) and LOG_MEL (the name of its list of kernels)
// defined.
//
// A frame of an even number of samples is transformed as half as many complex numbers. Frames of 400 samples have a
// specialised transform: the 200-point complex transform uses Good's prime factor algorithm (J. R. Stat. Soc. B 20,
// 1958). As 8 and 25 have no common factor, an 8 × 25 grid filled in the right order needs no twiddle factors between
// the columns' 8-point and the rows' 25-point transforms. A row is 5 × 5 (Cooley and Tukey, 1965).

#include <float.h>
#include <string.h>

#include "../kernels.h"
#include "../logmel_tables.h"

#define INLINE static inline __attribute__((always_inline))

typedef float vf __attribute__((vector_size(LANES * 4)));
typedef int32_t vi __attribute__((vector_size(LANES * 4)));
typedef struct {
    vf re, im;
} cv;

INLINE cv add(cv a, cv b) { return (cv){a.re + b.re, a.im + b.im}; }
INLINE cv sub(cv a, cv b) { return (cv){a.re - b.re, a.im - b.im}; }
INLINE cv times(cv a, float re, float im) { return (cv){a.re * re - a.im * im, a.re * im + a.im * re}; }
INLINE cv times_minus_i(cv a) { return (cv){a.im, -a.re}; }

// The larger of each pair; the second if the first is a NaN.
INLINE vf larger(vf a, vf b) {
    vi mask = a > b;
    return (vf)((mask & (vi)a) | (~mask & (vi)b));
}

INLINE vf load(const float *p) {
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}
INLINE void store(float *p, vf v) { memcpy(p, &v, sizeof v); }

// Transposes a square of LANES vectors.
#if LANES == 8
INLINE void transpose(vf v[LANES]) {
    vf a[8], b[8];
    for (int i = 0; i < 8; i += 2) {  // pairs of rows, within 128 bits
        a[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        a[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {  // fours of rows
        for (int j = 0; j < 2; j++) {
            b[i + 2 * j] = __builtin_shufflevector(a[i + j], a[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + 2 * j + 1] = __builtin_shufflevector(a[i + j], a[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int i = 0; i < 4; i++) {
        v[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        v[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#else
INLINE void transpose(vf v[LANES]) {
    vf a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5), b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
    vf c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7), d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    v[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}
#endif

// Loads samples n … n + LANES − 1 of each lane's frame, windowed: block[i] holds sample n + i of every frame.
INLINE void load_windowed(const float *const lane[LANES], const float *window, int n, vf block[LANES]) {
    for (int l = 0; l < LANES; l++) block[l] = load(lane[l] + n);
    transpose(block);
    for (int i = 0; i < LANES; i++) block[i] *= window[n + i];
}

INLINE void transform4(cv x0, cv x1, cv x2, cv x3, cv y[4]) {
    cv a = add(x0, x2), b = sub(x0, x2), c = add(x1, x3), d = times_minus_i(sub(x1, x3));
    y[0] = add(a, c);
    y[1] = add(b, d);
    y[2] = sub(a, c);
    y[3] = sub(b, d);
}

INLINE void transform8(cv x[8]) {
    const float h = 0x1.6a09e6p-1f;  // sqrt(1/2)
    cv even[4], odd[4];
    transform4(x[0], x[2], x[4], x[6], even);
    transform4(x[1], x[3], x[5], x[7], odd);
    cv one = odd[1], three = odd[3];
    odd[1] = (cv){h * (one.re + one.im), h * (one.im - one.re)};
    odd[2] = times_minus_i(odd[2]);
    odd[3] = (cv){h * (three.im - three.re), -h * (three.re + three.im)};
    for (int k = 0; k < 4; k++) {
        x[k] = add(even[k], odd[k]);
        x[k + 4] = sub(even[k], odd[k]);
    }
}

INLINE void transform5(cv x[5]) {
    const float c1 = 0x1.3c6ef4p-2f, c2 = -0x1.9e377ap-1f;  // cos(2π/5), cos(4π/5)
    const float s1 = 0x1.e6f0e2p-1f, s2 = 0x1.2cf230p-1f;   // sin(2π/5), sin(4π/5)
    cv t1 = add(x[1], x[4]), t2 = add(x[2], x[3]), t3 = sub(x[1], x[4]), t4 = sub(x[2], x[3]);
    cv a = {x[0].re + c1 * t1.re + c2 * t2.re, x[0].im + c1 * t1.im + c2 * t2.im};
    cv b = {x[0].re + c2 * t1.re + c1 * t2.re, x[0].im + c2 * t1.im + c1 * t2.im};
    cv p = times_minus_i((cv){s1 * t3.re + s2 * t4.re, s1 * t3.im + s2 * t4.im});
    cv q = times_minus_i((cv){s2 * t3.re - s1 * t4.re, s2 * t3.im - s1 * t4.im});
    x[0] = add(x[0], add(t1, t2));
    x[1] = add(a, p);
    x[2] = add(b, q);
    x[3] = sub(b, q);
    x[4] = sub(a, p);
}

// A 25-point transform of row[0], row[8], ..., row[192]; bin k = c + 5d ends up at index 5c + d.
static void transform25(cv *row, const logmel_400 *tables) {
    cv x[5];
    for (int b = 0; b < 5; b++) {
        for (int a = 0; a < 5; a++) x[a] = row[8 * (5 * a + b)];
        transform5(x);
        for (int c = 0; c < 5; c++) {
            row[8 * (5 * c + b)] = times(x[c], tables->twiddle_re[5 * b + c], tables->twiddle_im[5 * b + c]);
        }
    }
    for (int c = 0; c < 5; c++) {
        for (int b = 0; b < 5; b++) x[b] = row[8 * (5 * c + b)];
        transform5(x);
        for (int d = 0; d < 5; d++) row[8 * (5 * c + d)] = x[d];
    }
}

static void transform200(cv grid[POINTS_200], const logmel_400 *tables) {
    for (int column = 0; column < 25; column++) transform8(grid + 8 * column);
    for (int row = 0; row < 8; row++) transform25(grid + row, tables);
}

// The power of bins k and points − k of the real spectrum, computed together from the complex one.
INLINE void untangle(cv a, cv b, float re, float im, vf *power, vf *mirrored) {
    cv even = {a.re + b.re, a.im - b.im};
    cv odd = times((cv){a.im + b.im, b.re - a.re}, re, im);
    cv low = add(even, odd), high = sub(even, odd);
    *power = low.re * low.re + low.im * low.im;
    *mirrored = high.re * high.re + high.im * high.im;
}

static void power_400(const float *const lane[LANES], const steno_log_mel *plan, vf *power) {
    const logmel_400 *tables = &steno_log_mel_400;
    cv grid[POINTS_200];
    for (int n = 0; n < FRAME_400; n += LANES) {
        vf block[LANES];
        load_windowed(lane, plan->window, n, block);
        for (int i = 0; i < LANES; i += 2) grid[tables->input_slot[(n + i) / 2]] = (cv){block[i], block[i + 1]};
    }
    transform200(grid, tables);
    for (int k = 0; k <= POINTS_200 / 2; k++) {
        const cv a = grid[tables->output_slot[k]], b = grid[tables->output_slot[(POINTS_200 - k) % POINTS_200]];
        untangle(a, b, tables->untangle_re[k], tables->untangle_im[k], &power[k], &power[POINTS_200 - k]);
    }
}

// A transform of any length by Stockham's algorithm (Cochran et al. 1967): each pass divides the length by one of its
// factors, and the results are in natural order.
INLINE void pass_any(const int radix, const steno_log_mel *plan, int length, int stride, const cv *x, cv *y) {
    const int points = plan->fft_length / 2, rest = length / radix;
    for (int p = 0; p < rest; p++) {
        for (int q = 0; q < stride; q++) {
            cv v[LARGEST_RADIX], sums[LARGEST_RADIX];
            for (int j = 0; j < radix; j++) v[j] = x[q + stride * (p + rest * j)];
            if (radix == 4) {
                transform4(v[0], v[1], v[2], v[3], sums);
            } else if (radix == 5) {
                transform5(v);
                for (int k = 0; k < 5; k++) sums[k] = v[k];
            } else {
                for (int k = 0; k < radix; k++) {
                    sums[k] = v[0];
                    for (int j = 1; j < radix; j++) {
                        const int turn = j * k % radix * (points / radix);
                        sums[k] = add(sums[k], times(v[j], plan->root_re[turn], plan->root_im[turn]));
                    }
                }
            }
            y[q + stride * radix * p] = sums[0];
            for (int k = 1; k < radix; k++) {
                const int turn = p * k * stride;
                y[q + stride * (radix * p + k)] = times(sums[k], plan->root_re[turn], plan->root_im[turn]);
            }
        }
    }
}

static const cv *transform_any(const steno_log_mel *plan, cv *x, cv *y) {
    int length = plan->fft_length / 2, stride = 1;
    for (int i = 0; i < plan->passes; i++) {
        const int radix = plan->radix[i];
        if (radix == 4) pass_any(4, plan, length, stride, x, y);
        else if (radix == 5) pass_any(5, plan, length, stride, x, y);
        else pass_any(radix, plan, length, stride, x, y);
        length /= radix;
        stride *= radix;
        cv *other = x;
        x = y;
        y = other;
    }
    return x;
}

static void power_any(const float *const lane[LANES], const steno_log_mel *plan, vf *power) {
    const int points = plan->fft_length / 2, length = plan->frame_length;
    cv x[MOST_POINTS], y[MOST_POINTS];
    memset(x, 0, (size_t)points * sizeof(cv));
    int n = 0;
    for (; n + LANES <= length; n += LANES) {
        vf block[LANES];
        load_windowed(lane, plan->window, n, block);
        for (int i = 0; i < LANES; i += 2) x[(n + i) / 2] = (cv){block[i], block[i + 1]};
    }
    for (; n < length; n++) { // reads no sample after the frame's last
        vf sample = {0};
        for (int l = 0; l < LANES; l++) sample[l] = lane[l][n];
        sample *= plan->window[n];
        if (n % 2 == 0) x[n / 2].re = sample;
        else x[n / 2].im = sample;
    }
    const cv *spectrum = transform_any(plan, x, y);
    for (int k = 0; k <= points / 2; k++) {
        untangle(
            spectrum[k], spectrum[(points - k) % points], plan->untangle_re[k], plan->untangle_im[k], &power[k],
            &power[points - k]);
    }
}

// The geometry's logarithm of positive, normal numbers, accurate to about the last bit.
INLINE vf log_lanes(vf x, const steno_log_mel *plan) {
    vi bits = (vi)x;
    // x = m · 2^e with m from sqrt(1/2) to sqrt(2), where ln m = 2 artanh(s) needs five terms.
    vi exponent = (bits - 0x3f3504f3) & (int32_t)0xff800000u;
    vf m = (vf)(bits - exponent);
    vf e = __builtin_convertvector(exponent >> 23, vf);
    vf s = (m - 1.0f) / (m + 1.0f), q = s * s;
    vf artanh = s + s * q * (1.0f / 3 + q * (1.0f / 5 + q * (1.0f / 7 + q * (1.0f / 9))));
    return e * plan->log_2 + (e * plan->log_2_rest + plan->twice_log_e * artanh);
}

INLINE vf log_mel_energy(
    const vf *power, const steno_log_mel *plan, const steno_mel_filters *filters, ptrdiff_t filter) {
    const int32_t start = filters->weight_start[filter], count = filters->weight_start[filter + 1] - start;
    const float *weights = filters->weights + start;
    const vf *bins = power + filters->first_bin[filter];
    vf energy = {0};
    for (int32_t j = 0; j < count; j++) energy += bins[j] * weights[j];
    return log_lanes(larger(energy + plan->guard, (vf){0} + plan->floor), plan);
}

// Writes the first `frames` lanes' rows and returns the lanes' maxima.
static vf store_log_mel(
    const vf *power, const steno_log_mel *plan, const steno_mel_filters *filters, ptrdiff_t frames, float *rows) {
    vf maximum = (vf){0} - FLT_MAX;
    for (ptrdiff_t filter = 0; filter < filters->count; filter += LANES) {
        const ptrdiff_t count = filters->count - filter < LANES ? filters->count - filter : LANES;
        vf block[LANES] = {{0}};
        for (ptrdiff_t i = 0; i < count; i++) {
            block[i] = log_mel_energy(power, plan, filters, filter + i);
            maximum = larger(block[i], maximum);
        }
        transpose(block);
        for (ptrdiff_t l = 0; l < frames; l++) {
            float *out = rows + l * filters->count + filter;
            if (count == LANES) {
                store(out, block[l]);
            } else {
                memcpy(out, &block[l], (size_t)count * sizeof(float));
            }
        }
    }
    return maximum;
}

typedef void power_spectrum(const float *const lane[LANES], const steno_log_mel *plan, vf *power);

INLINE float log_mel_frames(
    power_spectrum *const spectrum, const steno_log_mel *plan, const float *samples, ptrdiff_t frames,
    const steno_mel_filters *filters, float *rows) {
    vf maximum = (vf){0} - FLT_MAX;
    for (ptrdiff_t frame = 0; frame < frames; frame += LANES) {
        const ptrdiff_t count = frames - frame < LANES ? frames - frame : LANES;
        const float *lane[LANES];
        for (ptrdiff_t l = 0; l < LANES; l++) {  // lanes without a frame repeat the last one
            lane[l] = samples + (frame + (l < count ? l : count - 1)) * plan->hop;
        }
        vf power[MOST_POINTS + 1];
        spectrum(lane, plan, power);
        maximum = larger(store_log_mel(power, plan, filters, count, rows + frame * filters->count), maximum);
    }
    float largest = maximum[0];
    for (int l = 1; l < LANES; l++) largest = maximum[l] > largest ? maximum[l] : largest;
    return largest;
}

static float log_mel_400(
    const steno_log_mel *plan, const float *samples, ptrdiff_t frames, const steno_mel_filters *filters, float *rows) {
    return log_mel_frames(power_400, plan, samples, frames, filters, rows);
}

static float log_mel_any(
    const steno_log_mel *plan, const float *samples, ptrdiff_t frames, const steno_mel_filters *filters, float *rows) {
    return log_mel_frames(power_any, plan, samples, frames, filters, rows);
}

const steno_log_mel_kernel LOG_MEL[] = {
    {.fft_length = 400, .frame_length = 400, .compute = log_mel_400},
    {.compute = log_mel_any},
};
