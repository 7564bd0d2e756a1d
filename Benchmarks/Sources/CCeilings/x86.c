#include "loops.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define LOOP(name, isa, ...) CEILING_LOOP("+v", name, __attribute__((target(isa))), __VA_ARGS__)

LOOP(float_sse, "sse2", __m128, _mm_setzero_ps(),
    sum = _mm_add_ps(_mm_mul_ps(sum, _mm_set1_ps(0.5f)), _mm_set1_ps(1)))
LOOP(float_avx2, "avx2,fma", __m256, _mm256_setzero_ps(),
    sum = _mm256_fmadd_ps(sum, _mm256_set1_ps(0.5f), _mm256_set1_ps(1)))
LOOP(float_avx512, "avx512f", __m512, _mm512_setzero_ps(),
    sum = _mm512_fmadd_ps(sum, _mm512_set1_ps(0.5f), _mm512_set1_ps(1)))
LOOP(bfloat_avx512, "avx512f,avx512bf16", __m512, _mm512_setzero_ps(),
    sum = _mm512_dpbf16_ps(sum, (__m512bh)_mm512_set1_epi32(0x3f803f80), (__m512bh)_mm512_set1_epi32(0x3f803f80)))
// Three instructions for 32 products, without the 16-bit saturation that int8 data must avoid.
LOOP(int8_avx2, "avx2", __m256i, _mm256_setzero_si256(),
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_set1_epi8(1), sum), _mm256_set1_epi16(1))))
LOOP(int8_avxvnni, "avx2,avxvnni", __m256i, _mm256_setzero_si256(),
    sum = _mm256_dpbusd_avx_epi32(sum, _mm256_set1_epi8(1), _mm256_set1_epi8(2)))
LOOP(int8_avx512vnni, "avx512f,avx512vnni", __m512i, _mm512_setzero_si512(),
    sum = _mm512_dpbusd_epi32(sum, _mm512_set1_epi8(1), _mm512_set1_epi8(2)))

static ceiling_loop loop(const char *instruction, void (*run)(long), int products) {
    return (ceiling_loop){instruction, run, 2.0 * products * CEILING_SUMS};
}

ceiling_loop ceiling_best_loop(ceiling_numbers numbers) {
    __builtin_cpu_init();
    const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const int avx512 = avx2 && __builtin_cpu_supports("avx512f");
    switch (numbers) {
    case CEILING_FLOAT32:
        if (avx512) return loop("AVX-512 vfmadd", float_avx512, 16);
        if (avx2) return loop("AVX2 vfmadd", float_avx2, 8);
        return loop("SSE mulps, addps", float_sse, 4);
    case CEILING_BFLOAT16:
        if (avx512 && __builtin_cpu_supports("avx512bf16")) return loop("AVX-512 vdpbf16ps", bfloat_avx512, 32);
        break;
    case CEILING_INT8:
        if (avx512 && __builtin_cpu_supports("avx512vnni")) return loop("AVX-512 vpdpbusd", int8_avx512vnni, 64);
        if (avx2 && __builtin_cpu_supports("avxvnni")) return loop("AVX-VNNI vpdpbusd", int8_avxvnni, 32);
        if (avx2) return loop("AVX2 vpmaddubsw, vpmaddwd", int8_avx2, 32);
        break;
    }
    return (ceiling_loop){0};
}

#endif
