// AVX2 with FMA and F16C: every x86-64 processor since 2013 (Intel) and 2015 (AMD).
#if defined(__x86_64__)
#include "kernels.h"
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)

#define VECTOR_BYTES 32
#define AVX_VECTORS
#define TILE_ROWS 6
#define TABLE steno_kernels_avx2
#define TABLE_NAME "avx2"
#define LOG_MEL steno_log_mel_avx2

#include "body/vector.h"

// int8 attention, in pairs widened to 16 bits, so that vpmaddwd is exact. Products are in avx2_multiply8.h.
enum { GROUP = 2, ACTIVATION_OFFSET = 0 };
typedef int16_t activation;
typedef __m256i weights;

INLINE weights load_weights(const int8_t *w) { return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)w)); }

INLINE vi dot(vi sum, int32_t word, weights w) {
    return sum + (vi)_mm256_madd_epi16(_mm256_set1_epi32(word), w);
}

#include "body/multiply.h"
#include "avx2_multiply8.h"
#include "body/table.h"

#pragma clang attribute pop
#endif
