// Baseline NEON (Armv8.0): fused multiply-add, but no dot product.
#if defined(__aarch64__)
#include "kernels.h"
#include <arm_neon.h>

#define VECTOR_BYTES 16
#define TILE_ROWS 6 // twelve int8 rows and their products would not fit into the 32 registers
#define TABLE steno_kernels_neon
#define TABLE_NAME "neon"
#define LOG_MEL steno_log_mel_neon

#include "body/vector.h"

// int8 in fours, as two pairs: two products are added in 16 bits, which hold 2 · 127 · 128, then neighbours in 32 bits.
enum { GROUP = 4, ACTIVATION_OFFSET = 0 };
typedef int8_t activation;
typedef int16x4x2_t weights; // the first pairs of four outputs, and the second

INLINE weights load_weights(const int8_t *w) { return vld2_s16((const int16_t *)(const void *)w); }

INLINE vi dot(vi sum, int32_t word, weights w) {
    const int16x4_t pairs = vreinterpret_s16_s32(vdup_n_s32(word));
    const int8x8_t first = vreinterpret_s8_s16(vdup_lane_s16(pairs, 0));
    const int8x8_t second = vreinterpret_s8_s16(vdup_lane_s16(pairs, 1));
    const int16x8_t products = vmull_s8(vreinterpret_s8_s16(w.val[0]), first);
    return (vi)vpadalq_s16((int32x4_t)sum, vmlal_s8(products, vreinterpret_s8_s16(w.val[1]), second));
}

#include "body/multiply.h"
#include "body/multiply8.h"
#include "body/table.h"

#endif
