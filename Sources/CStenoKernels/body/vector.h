// Vectors of VECTOR_BYTES bytes in clang's portable notation, and the functions of a real variable on them.
// Included by each instruction set's file, which defines VECTOR_BYTES and is compiled for its own instructions.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LANES = VECTOR_BYTES / 4, PANEL = 2 * LANES };

typedef float vf __attribute__((ext_vector_type(VECTOR_BYTES / 4)));
typedef int32_t vi __attribute__((ext_vector_type(VECTOR_BYTES / 4)));
// The same at any address: rows of a caller's matrix are not aligned.
typedef vf vf_any __attribute__((aligned(4), may_alias));
typedef vi vi_any __attribute__((aligned(4), may_alias));

#define INLINE static inline __attribute__((always_inline, unused))

INLINE vf load(const float *p) { return *(const vf_any *)p; }
INLINE void store(float *p, vf v) { *(vf_any *)p = v; }
INLINE vf splat(float x) { return (vf)x; }
INLINE vf fma_(vf a, vf b, vf c) { return __builtin_elementwise_fma(a, b, c); }
INLINE vf max_(vf a, vf b) { return __builtin_elementwise_max(a, b); }
INLINE vf min_(vf a, vf b) { return __builtin_elementwise_min(a, b); }

INLINE float sum_of(vf v) {
    float sum = 0;
    for (int i = 0; i < LANES; i++) sum += v[i];
    return sum;
}

INLINE float max_of(vf v) {
    float most = v[0];
    for (int i = 1; i < LANES; i++) most = v[i] > most ? v[i] : most;
    return most;
}

// e^x to 2 units in the last place: 2^n times a polynomial on [−ln 2 / 2, ln 2 / 2] (the coefficients are Cephes').
// Below −87 the result is 0, so that a masked score has no weight at all.
INLINE vf exp_(vf x) {
    const vf low = splat(-87.0f), high = splat(88.0f);
    const vi alive = x >= low;
    const vf c = min_(max_(x, low), high);
    const vf n = __builtin_elementwise_roundeven(c * splat(1.44269504088896341f));
    vf r = fma_(n, splat(-0.693359375f), c);
    r = fma_(n, splat(2.12194440e-4f), r);
    vf p = splat(1.9875691500e-4f);
    p = fma_(p, r, splat(1.3981999507e-3f));
    p = fma_(p, r, splat(8.3334519073e-3f));
    p = fma_(p, r, splat(4.1665795894e-2f));
    p = fma_(p, r, splat(1.6666665459e-1f));
    p = fma_(p, r, splat(5.0000001201e-1f));
    p = fma_(p, r * r, r) + splat(1.0f);
    const vi exponent = (__builtin_convertvector(n, vi) + 127) << 23;
    vf scale;
    memcpy(&scale, &exponent, sizeof(scale));
    vf result = p * scale;
    vi bits;
    memcpy(&bits, &result, sizeof(bits));
    bits &= alive;
    memcpy(&result, &bits, sizeof(result));
    return result;
}

// x · Φ(x) with the error function of Abramowitz and Stegun 7.1.26 (1.5e-7), the same that CTranslate2 uses.
INLINE vf gelu(vf x) {
    const vf z = __builtin_elementwise_abs(x) * splat(0.70710678118654752f);
    const vf t = splat(1.0f) / fma_(z, splat(0.3275911f), splat(1.0f));
    vf p = splat(1.061405429f);
    p = fma_(p, t, splat(-1.453152027f));
    p = fma_(p, t, splat(1.421413741f));
    p = fma_(p, t, splat(-0.284496736f));
    p = fma_(p, t, splat(0.254829592f));
    const vf error = splat(1.0f) - p * t * exp_(-z * z);
    return splat(0.5f) * fma_(__builtin_elementwise_abs(x), error, x);
}
