// Quantised blocks and what whisper.cpp's ggml decodes them to, for make_ggml_goldens.py.
//
// Prints a line for each type: name, bytes of the blocks in hexadecimal, bytes of the float32 values in hexadecimal.
// The first half of the blocks is quantised by ggml from a fixed series of values; the other half are random bytes with
// finite scales, so that every bit pattern is covered.

#include "ggml.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 32, HALF = BLOCKS / 2 };

static uint64_t state = 20260704;

static uint64_t next(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

static void print(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) printf("%02x", ((const uint8_t *)bytes)[i]);
}

int main(void) {
    const enum ggml_type types[] = {GGML_TYPE_Q4_0, GGML_TYPE_Q4_1, GGML_TYPE_Q5_0, GGML_TYPE_Q5_1, GGML_TYPE_Q8_0};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        float values[32 * BLOCKS];
        for (int i = 0; i < 32 * HALF; i++) {
            // Blocks of very different sizes, and one of zeros.
            double size = i / 32 == 3 ? 0 : i / 32 % 4 == 1 ? 100 : i / 32 % 4 == 2 ? 1e-4 : 0.1;
            values[i] = (float)(size * ((double)(next() >> 40) / 8388608 - 1));
        }
        size_t block = ggml_type_size(types[t]);
        uint8_t *bytes = malloc(block * BLOCKS);
        ggml_quantize_chunk(types[t], values, bytes, 0, HALF, 32, NULL);
        for (size_t i = block * HALF; i < block * BLOCKS; i++) bytes[i] = (uint8_t)(next() >> 56);
        for (size_t i = HALF; i < BLOCKS; i++) {
            int has_minimum = types[t] == GGML_TYPE_Q4_1 || types[t] == GGML_TYPE_Q5_1;
            // An exponent below that of infinity.
            for (int half = 0; half <= has_minimum; half++) bytes[i * block + 2 * half + 1] &= 0xBF;
        }
        ggml_get_type_traits(types[t])->to_float(bytes, values, 32 * BLOCKS);
        printf("%s ", ggml_type_name(types[t]));
        print(bytes, block * BLOCKS);
        printf(" ");
        print(values, sizeof values);
        printf("\n");
        free(bytes);
    }
    return 0;
}
