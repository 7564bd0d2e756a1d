// Norms and reductions of one instruction set.

// Two passes, because the variance of centred values does not suffer from cancellation.
static void layer_norm(
    const float *x, int32_t width, const float *gamma, const float *beta, float epsilon, float *y) {
    vf total = splat(0);
    int32_t i = 0;
    for (; i + LANES <= width; i += LANES) total += load(x + i);
    float sum = sum_of(total);
    for (; i < width; i++) sum += x[i];
    const float mean = sum / (float)width;
    vf squares = splat(0);
    for (i = 0; i + LANES <= width; i += LANES) {
        const vf centred = load(x + i) - splat(mean);
        squares = fma_(centred, centred, squares);
    }
    float variance = sum_of(squares);
    for (; i < width; i++) variance += (x[i] - mean) * (x[i] - mean);
    const float scale = 1.0f / sqrtf(variance / (float)width + epsilon);
    for (i = 0; i + LANES <= width; i += LANES) {
        store(y + i, fma_((load(x + i) - splat(mean)) * splat(scale), load(gamma + i), load(beta + i)));
    }
    for (; i < width; i++) y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
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
