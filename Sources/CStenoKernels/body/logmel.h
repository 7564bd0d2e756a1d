// The log-mel arithmetic for LANES frames at once, one frame in each lane of a vector, so that no step but the loading
// and the storing ever crosses lanes. Included once for every instruction set, with LANES (4 or 8) and LOGMEL_BODY
// (the function's name) defined.
//
// The 200-point complex transform is Good's prime factor algorithm (J. R. Stat. Soc. B 20, 1958): as 8 and 25 have no
// common factor, an 8 x 25 grid filled in the right order needs no twiddles between the columns' 8-point and the rows'
// 25-point transforms. A row is 5 x 5 (Cooley and Tukey, 1965).

#include <string.h>

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

// The larger of each pair; the second where the first is a NaN.
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

// Turns LANES vectors, the rows of a square, into its columns.
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

// Windows the frames and puts even samples into real parts, odd ones into imaginary parts.
static void load_windowed(const float *const lane[LANES], const logmel_tables *tables, cv grid[POINTS]) {
    for (int n = 0; n < STENO_LOGMEL_FRAME; n += LANES) {
        vf block[LANES];
        for (int l = 0; l < LANES; l++) block[l] = load(lane[l] + n);
        transpose(block);
        for (int i = 0; i < LANES; i += 2) {
            cv *slot = &grid[tables->input_slot[(n + i) / 2]];
            slot->re = block[i] * tables->window[n + i];
            slot->im = block[i + 1] * tables->window[n + i + 1];
        }
    }
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

// A 25-point transform of row[0], row[8], ..., row[192]; bin k = c + 5d is left in place 5c + d.
static void transform25(cv *row, const logmel_tables *tables) {
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

static void transform200(cv grid[POINTS], const logmel_tables *tables) {
    for (int column = 0; column < 25; column++) transform8(grid + 8 * column);
    for (int row = 0; row < 8; row++) transform25(grid + row, tables);
}

// Untangles the spectrum of the real sound from that of the complex one; bins k and 200 - k share their work.
static void power_spectrum(const cv grid[POINTS], const logmel_tables *tables, vf power[STENO_LOGMEL_BINS]) {
    for (int k = 0; k <= POINTS / 2; k++) {
        cv a = grid[tables->output_slot[k]];
        cv b = grid[tables->output_slot[(POINTS - k) % POINTS]];
        cv even = {a.re + b.re, a.im - b.im};
        cv odd = times((cv){a.im + b.im, b.re - a.re}, tables->untangle_re[k], tables->untangle_im[k]);
        cv low = add(even, odd), high = sub(even, odd);
        power[k] = low.re * low.re + low.im * low.im;
        power[POINTS - k] = high.re * high.re + high.im * high.im;
    }
}

// log10 of positive, normal numbers, to about the last bit.
INLINE vf log10_lanes(vf x) {
    // log10(2) in two parts: the first is so short that its product with an exponent is exact.
    const float log10_2 = 0x1.344p-2f, log10_2_rest = 0x1.3509f8p-18f, twice_log10_e = 0x1.bcb7b2p-1f;
    vi bits = (vi)x;
    // x = m · 2^e with m from sqrt(1/2) to sqrt(2), where ln m = 2 artanh(s) needs five terms.
    vi exponent = (bits - 0x3f3504f3) & (int32_t)0xff800000u;
    vf m = (vf)(bits - exponent);
    vf e = __builtin_convertvector(exponent >> 23, vf);
    vf s = (m - 1.0f) / (m + 1.0f), q = s * s;
    vf artanh = s + s * q * (1.0f / 3 + q * (1.0f / 5 + q * (1.0f / 7 + q * (1.0f / 9))));
    return e * log10_2 + (e * log10_2_rest + twice_log10_e * artanh);
}

INLINE vf log_mel_energy(const vf power[STENO_LOGMEL_BINS], const steno_mel_filters *filters, ptrdiff_t filter) {
    const int32_t start = filters->weight_start[filter], count = filters->weight_start[filter + 1] - start;
    const float *weights = filters->weights + start;
    const vf *bins = power + filters->first_bin[filter];
    vf energy = {0};
    for (int32_t j = 0; j < count; j++) energy += bins[j] * weights[j];
    return log10_lanes(larger(energy, (vf){0} + 1e-10f));
}

// Writes the first `frames` lanes' rows and returns the lanes' maxima.
static vf store_log_mel(const vf power[STENO_LOGMEL_BINS], const steno_mel_filters *filters, ptrdiff_t frames,
                        float *log_mel) {
    vf maximum = (vf){0} - 10.0f;
    for (ptrdiff_t filter = 0; filter < filters->count; filter += LANES) {
        const ptrdiff_t count = filters->count - filter < LANES ? filters->count - filter : LANES;
        vf block[LANES] = {{0}};
        for (ptrdiff_t i = 0; i < count; i++) {
            block[i] = log_mel_energy(power, filters, filter + i);
            maximum = larger(block[i], maximum);
        }
        transpose(block);
        for (ptrdiff_t l = 0; l < frames; l++) {
            float *out = log_mel + l * filters->count + filter;
            if (count == LANES) {
                store(out, block[l]);
            } else {
                memcpy(out, &block[l], (size_t)count * sizeof(float));
            }
        }
    }
    return maximum;
}

float LOGMEL_BODY(const float *samples, ptrdiff_t frames, const steno_mel_filters *filters,
                  const logmel_tables *tables, float *log_mel) {
    vf maximum = (vf){0} - 10.0f;
    for (ptrdiff_t frame = 0; frame < frames; frame += LANES) {
        const ptrdiff_t count = frames - frame < LANES ? frames - frame : LANES;
        const float *lane[LANES];
        for (ptrdiff_t l = 0; l < LANES; l++) {  // lanes without a frame repeat the last one
            lane[l] = samples + (frame + (l < count ? l : count - 1)) * STENO_LOGMEL_HOP;
        }
        cv grid[POINTS];
        vf power[STENO_LOGMEL_BINS];
        load_windowed(lane, tables, grid);
        transform200(grid, tables);
        power_spectrum(grid, tables, power);
        maximum = larger(store_log_mel(power, filters, count, log_mel + frame * filters->count), maximum);
    }
    float largest = maximum[0];
    for (int l = 1; l < LANES; l++) largest = maximum[l] > largest ? maximum[l] : largest;
    return largest;
}
