// Vectors of VECTOR_BYTES bytes as clang's portable extensions, and elementary functions on them. Included by each
// instruction set's file, which defines VECTOR_BYTES and is compiled for its instructions; AVX_VECTORS says that these
// are AVX2's or AVX-512's.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LANES = VECTOR_BYTES / 4, PANEL = 2 * LANES };

typedef float vf __attribute__((ext_vector_type(VECTOR_BYTES / 4)));
typedef int32_t vi __attribute__((ext_vector_type(VECTOR_BYTES / 4)));
// The same at any address, since rows of a caller's matrix are not aligned.
typedef vf vf_any __attribute__((aligned(4), may_alias));
typedef vi vi_any __attribute__((aligned(4), may_alias));
// A vector's numbers as bytes and as 16-bit integers.
typedef int8_t bytes_of_vector __attribute__((ext_vector_type(VECTOR_BYTES / 4)));
typedef bytes_of_vector bytes_any __attribute__((aligned(1), may_alias));
typedef int16_t shorts_of_vector __attribute__((ext_vector_type(VECTOR_BYTES / 4)));
typedef shorts_of_vector shorts_any __attribute__((aligned(2), may_alias));
// All bytes of a vector.
typedef int8_t bytes __attribute__((ext_vector_type(VECTOR_BYTES)));
typedef bytes bytes_anywhere __attribute__((aligned(1), may_alias));

#define INLINE static inline __attribute__((always_inline, unused))

INLINE vf load(const float *p) { return *(const vf_any *)p; }
INLINE void store(float *p, vf v) { *(vf_any *)p = v; }
// Numbers stored as the upper half of a float32.
typedef uint16_t halves __attribute__((ext_vector_type(VECTOR_BYTES / 4)));
typedef halves halves_any __attribute__((aligned(2), may_alias));
INLINE vf load_bfloat16(const uint16_t *p) {
    const vi bits = __builtin_convertvector(*(const halves_any *)p, vi) << 16;
    vf v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}
INLINE vf splat(float x) { return (vf)x; }
INLINE vf fma_(vf a, vf b, vf c) { return __builtin_elementwise_fma(a, b, c); }
INLINE vf max_(vf a, vf b) { return __builtin_elementwise_max(a, b); }
INLINE vf min_(vf a, vf b) { return __builtin_elementwise_min(a, b); }

// The rows of a tile, read in step. Left to itself, the compiler computes the address of each row with an addition, and
// these additions take turns with the multiplications in the processor's ports. Here every fourth row has a pointer, and
// the distances of the three rows after it are registers that x86-64 adds while it loads.
typedef struct {
    const char *every_fourth[4];
    int64_t stride, three_strides; // in bytes
} tile_rows;

INLINE tile_rows rows_of_tile(const int rows, const void *x, int64_t stride) {
    tile_rows r = {.stride = stride, .three_strides = 3 * stride};
    for (int i = 0; i < rows; i += 4) r.every_fourth[i / 4] = (const char *)x + i * stride;
    return r;
}

INLINE const void *tile_row(const tile_rows *r, const int i) {
    return r->every_fourth[i / 4] + (i % 4 == 3 ? r->three_strides : i % 4 * r->stride);
}

INLINE void advance_rows(tile_rows *r, const int rows, int64_t bytes) {
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; i += 4) {
        r->every_fourth[i / 4] += bytes;
        // Otherwise the compiler derives all pointers from one.
        __asm__("" : "+r"(r->every_fourth[i / 4]));
    }
}

// A tree reduction of a vector: four steps for sixteen lanes, where a chain has sixteen.
#if VECTOR_BYTES == 64
#define FOLD(v, with) ({ const __auto_type eight = with((v).lo, (v).hi); FOLD8(eight, with); })
#elif VECTOR_BYTES == 32
#define FOLD(v, with) FOLD8(v, with)
#else
#define FOLD(v, with) FOLD4(v, with)
#endif
#define FOLD8(v, with) ({ const __auto_type four = with((v).lo, (v).hi); FOLD4(four, with); })
#define FOLD4(v, with) ({ const __auto_type two = with((v).lo, (v).hi); with(two.x, two.y); })
#define PLUS(a, b) ((a) + (b))

INLINE float sum_of(vf v) { return FOLD(v, PLUS); }
INLINE int32_t whole_sum_of(vi v) { return FOLD(v, PLUS); }
INLINE float max_of(vf v) { return FOLD(v, __builtin_elementwise_max); }

// The bits of |x|. As integers they are in numerical order, with infinity and NaN at the end, so the largest of them
// gives both a row's peak and whether the whole row is finite.
INLINE vi magnitude(vf x) {
    vi bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits & 0x7fffffff;
}
enum { NOT_FINITE = 0x7f800000 }; // infinity, and all beyond it NaNs

// The nearest whole numbers, of two equally near the even one, and four vectors of such numbers as bytes. The compiler
// makes detours around the instructions for both: it rounds twice, and narrows each vector by itself.
#if defined(AVX_VECTORS) && VECTOR_BYTES == 64
INLINE vi nearest(vf x) { return (vi)_mm512_cvtps_epi32(x); }

INLINE bytes narrowed(const vi w[4]) {
    const __m512i a = _mm512_packs_epi32((__m512i)w[0], (__m512i)w[1]);
    const __m512i b = _mm512_packs_epi32((__m512i)w[2], (__m512i)w[3]);
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return (bytes)_mm512_permutexvar_epi32(order, _mm512_packs_epi16(a, b));
}
#elif defined(AVX_VECTORS)
INLINE vi nearest(vf x) { return (vi)_mm256_cvtps_epi32(x); }

INLINE bytes narrowed(const vi w[4]) {
    const __m256i a = _mm256_packs_epi32((__m256i)w[0], (__m256i)w[1]);
    const __m256i b = _mm256_packs_epi32((__m256i)w[2], (__m256i)w[3]);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    return (bytes)_mm256_permutevar8x32_epi32(_mm256_packs_epi16(a, b), order);
}
#else
INLINE vi nearest(vf x) { return __builtin_convertvector(__builtin_elementwise_roundeven(x), vi); }

INLINE bytes narrowed(const vi w[4]) {
    bytes all;
    for (int i = 0; i < 4; i++) {
        const bytes_of_vector own = __builtin_convertvector(w[i], bytes_of_vector);
        memcpy((char *)&all + i * LANES, &own, sizeof(own));
    }
    return all;
}
#endif

INLINE vi max_whole(vi a, vi b) { return __builtin_elementwise_max(a, b); }

// The largest magnitude of a row.
INLINE int32_t largest_magnitude(const float *x, int64_t count) {
    vi most = (vi)0;
    int64_t k = 0;
    for (; k + LANES <= count; k += LANES) most = max_whole(most, magnitude(load(x + k)));
    int32_t largest = FOLD(most, __builtin_elementwise_max);
    for (; k < count; k++) {
        int32_t bits;
        memcpy(&bits, x + k, sizeof(bits));
        largest = __builtin_elementwise_max(largest, bits & 0x7fffffff);
    }
    return largest;
}

INLINE float float_of(int32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

// The scale 127 / peak for a row whose largest magnitude is finite, as in CTranslate2; 1 for a row of zeros. Below
// SMALLEST_PEAK the quotient would overflow; such a row counts as zeros.
#define SMALLEST_PEAK 4e-37f
INLINE float int8_steps(int32_t largest) {
    const float peak = float_of(largest);
    return peak >= SMALLEST_PEAK ? 127.0f / peak : 1.0f;
}

// e^x to 2 ulp: 2^n times a polynomial on [−ln 2 / 2, ln 2 / 2] (coefficients from Cephes). Below −87 the result is 0,
// so that a masked score has no weight at all.
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

// x · Φ(x) with the error function of Abramowitz and Stegun 7.1.26 (1.5e-7), as in CTranslate2.
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

// The same to 2e-4 (1.5e-5 · |x| beyond 12), without a division or an exponential: Φ(x) − 1/2 as an odd polynomial on
// [−4, 4]. The result is then quantised to int8, whose step is a hundred times larger.
INLINE vf rough_gelu(vf x) {
    const vf c = min_(max_(x, splat(-4.0f)), splat(4.0f)), z = c * c;
    vf p = splat(2.278137679e-08f);
    p = fma_(p, z, splat(-1.598598828e-06f));
    p = fma_(p, z, splat(4.795544373e-05f));
    p = fma_(p, z, splat(-8.140146383e-04f));
    p = fma_(p, z, splat(8.772383444e-03f));
    p = fma_(p, z, splat(-6.457310170e-02f));
    p = fma_(p, z, splat(3.978833258e-01f));
    return x * fma_(c, p, splat(0.5f));
}

// max(x, 0), with NaN propagated.
INLINE vf relu(vf x) {
    vi bits;
    memcpy(&bits, &x, sizeof(bits));
    bits &= ~(x < splat(0));
    memcpy(&x, &bits, sizeof(x));
    return x;
}

// tanh x to 3 ulp, also close to 0, where 1 − 2 / (e^2x + 1) alone would cancel (polynomial of Cephes).
INLINE vf tanh_close(vf x) {
    const vf z = x * x, far = splat(1.0f) - splat(2.0f) / (exp_(x + x) + splat(1.0f));
    vf p = splat(-5.70498872745e-3f);
    p = fma_(p, z, splat(2.06390887954e-2f));
    p = fma_(p, z, splat(-5.37397155531e-2f));
    p = fma_(p, z, splat(1.33314422036e-1f));
    p = fma_(p, z, splat(-3.33332819422e-1f));
    const vf near = fma_(p * z, x, x);
    const vi is_far = z >= splat(0.625f * 0.625f); // not so for NaN, which stays in `near`
    vi near_bits, far_bits;
    memcpy(&near_bits, &near, sizeof(near_bits));
    memcpy(&far_bits, &far, sizeof(far_bits));
    const vi bits = (far_bits & is_far) | (near_bits & ~is_far);
    vf result;
    memcpy(&result, &bits, sizeof(result));
    return result;
}
