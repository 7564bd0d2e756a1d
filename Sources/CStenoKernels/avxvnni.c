// AVX2 with VNNI: Intel client processors since Alder Lake, AMD Zen 5. As in avx512vnni.c, activations are stored with
// an offset of 128, which the row sums of the weights correct.
#if defined(__x86_64__)
#include "kernels.h"
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,avxvnni"))), apply_to = function)

#define VECTOR_BYTES 32
#define AVX_VECTORS
#define TILE_ROWS 6
#define TABLE steno_kernels_avxvnni
#define TABLE_NAME "avxvnni"
#define LOG_MEL steno_log_mel_avx2

#include "body/vector.h"

enum { GROUP = 4, ACTIVATION_OFFSET = 128 };
typedef uint8_t activation;
typedef __m256i weights;

INLINE weights load_weights(const int8_t *w) { return _mm256_loadu_si256((const __m256i *)w); }

INLINE vi dot(vi sum, int32_t word, weights w) {
    return (vi)_mm256_dpbusd_avx_epi32((__m256i)sum, _mm256_set1_epi32(word), w);
}

#include "body/multiply.h"
#include "body/multiply8.h"
#include "body/table.h"

#pragma clang attribute pop
#endif
