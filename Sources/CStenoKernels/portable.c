// The kernels in plain C vectors of 16 bytes: SSE2 on x86-64, NEON on arm64, anything elsewhere. This is also the
// reference against which the other files are tested.
#include "kernels.h"

#define VECTOR_BYTES 16
#define TILE_ROWS 6
#define TABLE steno_kernels_portable
#define TABLE_NAME "portable"
#define LOG_MEL steno_log_mel_portable

#include "body/vector.h"

// int8 by pairs: two activations as 16-bit numbers in one word.
enum { GROUP = 2, ACTIVATION_OFFSET = 0 };
typedef int16_t activation;
typedef int8_t bytes8 __attribute__((ext_vector_type(8)));
typedef int8_t bytes4 __attribute__((ext_vector_type(4)));
typedef struct { vi even, odd; } weights;

INLINE weights load_weights(const int8_t *w) {
    bytes8 b;
    memcpy(&b, w, sizeof(b));
    const bytes4 even = __builtin_shufflevector(b, b, 0, 2, 4, 6), odd = __builtin_shufflevector(b, b, 1, 3, 5, 7);
    return (weights){__builtin_convertvector(even, vi), __builtin_convertvector(odd, vi)};
}

INLINE vi dot(vi sum, int32_t word, weights w) {
    return sum + w.even * (int32_t)(int16_t)(word & 0xffff) + w.odd * (word >> 16);
}

#include "body/multiply.h"
#include "body/multiply8.h"
#include "body/table.h"
