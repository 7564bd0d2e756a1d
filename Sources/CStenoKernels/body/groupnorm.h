// The parts of a norm over many rows, of one instruction set.

static float sum(const float *x, int32_t width) {
    vf total = splat(0);
    int32_t i = 0;
    for (; i + LANES <= width; i += LANES) total += load(x + i);
    float result = sum_of(total);
    for (; i < width; i++) result += x[i];
    return result;
}

// Σ (x − mean)².
static float sum_squares(const float *x, int32_t width, float mean) {
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
static void scale_shift(
    const float *x, int32_t width, float mean, float scale, const float *gamma, const float *beta, float *y) {
    int32_t i = 0;
    for (; i + LANES <= width; i += LANES) {
        store(y + i, fma_((load(x + i) - splat(mean)) * splat(scale), load(gamma + i), load(beta + i)));
    }
    for (; i < width; i++) y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
}
