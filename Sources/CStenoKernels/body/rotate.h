// Rotary position embeddings of one instruction set.

// The same vector with neighbours exchanged.
#if VECTOR_BYTES == 64
#define SWAPPED(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
#elif VECTOR_BYTES == 32
#define SWAPPED(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6)
#else
#define SWAPPED(v) __builtin_shufflevector(v, v, 1, 0, 3, 2)
#endif

// Rotates pairs of neighbours: (a, b) becomes (a · cos − b · sin, b · cos + a · sin). `angles` has each pair's cosine
// twice, then −sin and sin.
static void rotate(const float *x, int32_t count, const float *angles, float *y) {
    const float *sines = angles + count;
    int32_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const vf v = load(x + i);
        store(y + i, fma_(SWAPPED(v), load(sines + i), v * load(angles + i)));
    }
    for (; i < count; i += 2) {
        const float a = x[i], b = x[i + 1];
        y[i] = fmaf(b, sines[i], a * angles[i]);
        y[i + 1] = fmaf(a, sines[i + 1], b * angles[i + 1]);
    }
}
