// AVX-512 without the dot-product instructions: Skylake-SP and similar processors.
#if defined(__x86_64__)
#include "kernels.h"
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512dq"))), apply_to = function)

#define VECTOR_BYTES 64
#define AVX_VECTORS
#define TILE_ROWS 12
#define TABLE steno_kernels_avx512
#define TABLE_NAME "avx512"
#define LOG_MEL steno_log_mel_avx2

#include "body/vector.h"

enum { GROUP = 2, ACTIVATION_OFFSET = 0 };
typedef int16_t activation;
typedef __m512i weights;

INLINE weights load_weights(const int8_t *w) { return _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)w)); }

INLINE vi dot(vi sum, int32_t word, weights w) {
    return sum + (vi)_mm512_madd_epi16(_mm512_set1_epi32(word), w);
}

#include "body/multiply.h"
#include "body/multiply8.h"
#include "body/table.h"

#pragma clang attribute pop
#endif
