// Norms, reductions and other operations on single rows, of one instruction set.

INLINE float sum(const float *x, int32_t width) {
    vf total = splat(0);
    int32_t i = 0;
    for (; i + LANES <= width; i += LANES) total += load(x + i);
    float result = sum_of(total);
    for (; i < width; i++) result += x[i];
    return result;
}

// Σ (x − mean)².
INLINE float sum_squares(const float *x, int32_t width, float mean) {
    vf total = splat(0);
    int32_t i = 0;
    for (; i + LANES <= width; i += LANES) {
        const vf centred = load(x + i) - splat(mean);
        total = fma_(centred, centred, total);
    }
    float result = sum_of(total);
    for (; i < width; i++) result += (x[i] - mean) * (x[i] - mean);
    return result;
}

// y = (x − mean) · scale · gamma + beta.
INLINE void scale_shift(
    const float *x, int32_t width, float mean, float scale, const float *gamma, const float *beta, float *y) {
    int32_t i = 0;
    for (; i + LANES <= width; i += LANES) {
        store(y + i, fma_((load(x + i) - splat(mean)) * splat(scale), load(gamma + i), load(beta + i)));
    }
    for (; i < width; i++) y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
}

// Two passes, because the variance of centred values does not suffer from cancellation.
static void layer_norm(
    const float *x, int32_t width, const float *gamma, const float *beta, float epsilon, float *y) {
    const float mean = sum(x, width) / (float)width;
    const float variance = sum_squares(x, width, mean);
    const float scale = 1.0f / sqrtf(variance / (float)width + epsilon);
    scale_shift(x, width, mean, scale, gamma, beta, y);
}

static float maximum(const float *x, int64_t count) {
    float most = x[0];
    int64_t i = 0;
    if (count >= LANES) {
        vf v = load(x);
        for (i = LANES; i + LANES <= count; i += LANES) v = max_(v, load(x + i));
        most = max_of(v);
    }
    for (; i < count; i++) most = fmaxf(most, x[i]);
    return most;
}

static float sum_exp(const float *x, int64_t count, float shift) {
    vf total = splat(0);
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) total += exp_(load(x + i) - splat(shift));
    float sum = sum_of(total);
    for (; i < count; i++) sum += expf(x[i] - shift);
    return sum;
}

static void widen_float16(const void *bits, int64_t count, float *values) {
    for (int64_t i = 0; i < count; i++) {
        _Float16 half;
        memcpy(&half, (const char *)bits + i * 2, 2);
        values[i] = (float)half;
    }
}

// y = value · gate / (1 + e^−gate); y may be value.
static void gate_silu(const float *value, const float *gate, int32_t width, float *y) {
    int32_t i = 0;
    for (; i + LANES <= width; i += LANES) {
        const vf g = load(gate + i);
        store(y + i, load(value + i) * (g / (splat(1.0f) + exp_(-g))));
    }
    for (; i < width; i++) y[i] = value[i] * (gate[i] / (1.0f + expf(-gate[i])));
}

// 1 / (1 + e^−x)
INLINE vf sigmoid(vf x) { return splat(1.0f) / (splat(1.0f) + exp_(-x)); }

// 1 − 2 / (e^2x + 1), to 1e-7.
INLINE vf tanh_(vf x) { return splat(1.0f) - splat(2.0f) / (exp_(x + x) + splat(1.0f)); }

// One step of `width` cells, a multiple of 16; `gates` has the input, forget, cell and output gates' pre-activations.
static void lstm_step(const float *gates, int32_t width, float *cell, float *hidden) {
    for (int32_t i = 0; i < width; i += LANES) {
        const vf kept = sigmoid(load(gates + width + i)) * load(cell + i);
        const vf value = fma_(sigmoid(load(gates + i)), tanh_(load(gates + 2 * width + i)), kept);
        store(cell + i, value);
        store(hidden + i, sigmoid(load(gates + 3 * width + i)) * tanh_(value));
    }
}

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
