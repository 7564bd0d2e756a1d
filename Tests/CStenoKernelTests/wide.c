// The shared bodies as `avx512vnni.c` compiles them, with vectors of 64 bytes and the dot product written out in C, so that
// machines without AVX-512 test them too.
#include "../../Sources/CStenoKernels/kernels.h"

#pragma clang diagnostic ignored "-Wpsabi"

#define VECTOR_BYTES 64
#define TILE_ROWS 12
#define TABLE wide_kernels
#define TABLE_NAME "wide"
#define LOG_MEL steno_log_mel_portable

#include "../../Sources/CStenoKernels/body/vector.h"

enum { GROUP = 4, ACTIVATION_OFFSET = 128 };
typedef uint8_t activation;
typedef struct { int8_t bytes[64]; } weights;

INLINE weights load_weights(const int8_t *w) {
    weights loaded;
    memcpy(&loaded, w, sizeof(loaded));
    return loaded;
}

// vpdpbusd: four unsigned by four signed bytes, their products added in 32 bits.
INLINE vi dot(vi sum, int32_t word, weights w) {
    for (int lane = 0; lane < LANES; lane++) {
        for (int i = 0; i < GROUP; i++) {
            sum[lane] += (int32_t)(uint8_t)((uint32_t)word >> (8 * i)) * w.bytes[lane * GROUP + i];
        }
    }
    return sum;
}

#include "../../Sources/CStenoKernels/body/multiply.h"
#include "../../Sources/CStenoKernels/body/multiply8.h"
#include "../../Sources/CStenoKernels/body/table.h"
