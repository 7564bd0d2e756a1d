// AMX on Linux: Sapphire Rapids and later Xeons. One instruction multiplies 16 rows of 64 bytes by 64 inputs of 16
// outputs. Activations and weights are stored as for avx512vnni.c, whose kernels compute everything else and the rows
// of small products; both give the same integers.
#if defined(__x86_64__) && defined(__linux__)
#include "kernels.h"
#include <immintrin.h>

#pragma clang attribute push( \
    __attribute__((target("avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,amx-tile,amx-int8"))), \
    apply_to = function)

#define VECTOR_BYTES 64
#define AVX_VECTORS
#define TILE_ROWS 12
#define TABLE steno_kernels_amx
#define TABLE_NAME "amx"
#define LOG_MEL steno_log_mel_avx2

#include "body/vector.h"

enum { GROUP = 4, ACTIVATION_OFFSET = 128 };
typedef uint8_t activation;
typedef __m512i weights;

INLINE weights load_weights(const int8_t *w) { return _mm512_loadu_si512(w); }

INLINE vi dot(vi sum, int32_t word, weights w) {
    return (vi)_mm512_dpbusd_epi32((__m512i)sum, _mm512_set1_epi32(word), w);
}

#define OWN_PRODUCTS_INT8
#include "body/multiply.h"
#include "body/multiply8.h"

enum { AMX_ROWS = 16, AMX_INPUTS = 64, GROUP_BYTES = PANEL * GROUP, STEP_BYTES = AMX_INPUTS / GROUP * GROUP_BYTES };

// All eight tiles have 16 rows of 64 bytes.
static void configure_tiles(void) {
    struct { uint8_t palette, start, reserved[14]; uint16_t row_bytes[16]; uint8_t rows[16]; } shape = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        shape.row_bytes[i] = AMX_INPUTS;
        shape.rows[i] = AMX_ROWS;
    }
    _tile_loadconfig(&shape);
}

// sums[32][PANEL] of two blocks of rows and a panel. The weights at `ahead`, if it is not 0, are prefetched.
INLINE void multiply_blocks(
    const activation *x, const activation *y, int64_t stride, const int8_t *w, int64_t steps, int64_t ahead, int32_t *sums) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int64_t k = 0; k < steps; k++) {
        _tile_loadd(6, w + k * STEP_BYTES, GROUP_BYTES);
        _tile_loadd(4, x + k * AMX_INPUTS, stride);
        _tile_dpbusd(0, 4, 6);
        _tile_loadd(7, w + k * STEP_BYTES + GROUP_BYTES / 2, GROUP_BYTES);
        _tile_dpbusd(1, 4, 7);
        _tile_loadd(5, y + k * AMX_INPUTS, stride);
        _tile_dpbusd(2, 5, 6);
        _tile_dpbusd(3, 5, 7);
        if (ahead) {
            for (int i = 0; i < STEP_BYTES; i += 64) __builtin_prefetch(w + k * STEP_BYTES + ahead + i, 0, 2);
        }
    }
    _tile_stored(0, sums, PANEL * sizeof(int32_t));
    _tile_stored(1, sums + LANES, PANEL * sizeof(int32_t));
    _tile_stored(2, sums + AMX_ROWS * PANEL, PANEL * sizeof(int32_t));
    _tile_stored(3, sums + AMX_ROWS * PANEL + LANES, PANEL * sizeof(int32_t));
}

static void multiply_amx(const steno_product *p, int32_t row, int32_t row_end, int32_t panel, int32_t panel_end) {
    const steno_matrix *m = p->matrix;
    if (m->padded_inputs % AMX_INPUTS) {
        multiply_int8(p, row, row_end, panel, panel_end);
        return;
    }
    const float *row_scales = (const float *)((const char *)p->workspace + activations_bytes(m, p->rows));
    const int64_t stride = m->padded_inputs;
    // A block that would reach beyond the product's rows begins earlier; its first rows are computed twice.
    const int32_t last = p->rows - AMX_ROWS;
    int32_t whole[2 * AMX_ROWS * PANEL];
    float sums[PANEL];
    configure_tiles();
    for (int32_t n = panel; n < panel_end; n++) {
        const int8_t *w = (const int8_t *)m->weights + (int64_t)n * stride * PANEL;
        for (int32_t i = row; i < row_end; i += 2 * AMX_ROWS) {
            const int32_t starts[2] = {i < last ? i : last, i + AMX_ROWS < last ? i + AMX_ROWS : last};
            multiply_blocks(
                (const activation *)p->workspace + starts[0] * stride, (const activation *)p->workspace + starts[1] * stride,
                stride, w, stride / AMX_INPUTS, i == row && n + 1 < panel_end ? stride * PANEL : 0, whole);
            const int32_t end = row_end < i + 2 * AMX_ROWS ? row_end : i + 2 * AMX_ROWS;
            for (int32_t r = i; r < end; r++) {
                const int block = r >= i + AMX_ROWS;
                finish_int8(p, r, n, whole + (block * AMX_ROWS + r - starts[block]) * PANEL, row_scales[r], sums);
            }
        }
    }
    // Threads without tiles are cheaper to switch.
    _tile_release();
}

static const steno_product_kernel products_int8[] = {
    {.workspace = workspace_int8, .prepare = prepare_int8, .multiply = multiply_int8},
    {.least_rows = AMX_ROWS, .workspace = workspace_int8, .prepare = prepare_int8, .multiply = multiply_amx},
};

#include "body/table.h"

#pragma clang attribute pop
#endif
