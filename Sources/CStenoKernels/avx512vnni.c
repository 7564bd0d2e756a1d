// AVX-512 with VNNI: Cascade Lake, Ice Lake, Zen 4 and later. One instruction multiplies four unsigned by four signed
// bytes and adds the products, so activations are stored with an offset of 128, which the row sums of the weights
// correct.
#if defined(__x86_64__)
#include "kernels.h"
#include <immintrin.h>

#pragma clang attribute push( \
    __attribute__((target("avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni"))), apply_to = function)

#define VECTOR_BYTES 64
#define AVX_VECTORS
#define TILE_ROWS 12
#define TABLE steno_kernels_avx512vnni
#define TABLE_NAME "avx512vnni"
#define LOG_MEL steno_log_mel_avx2

#include "body/vector.h"

enum { GROUP = 4, ACTIVATION_OFFSET = 128 };
typedef uint8_t activation;
typedef __m512i weights;

INLINE weights load_weights(const int8_t *w) { return _mm512_loadu_si512(w); }

INLINE vi dot(vi sum, int32_t word, weights w) {
    return (vi)_mm512_dpbusd_epi32((__m512i)sum, _mm512_set1_epi32(word), w);
}

#include "body/multiply.h"
#include "body/multiply8.h"
#include "body/table.h"

#pragma clang attribute pop
#endif
