// Gated units of one instruction set.

// y = value · gate / (1 + e^−gate); y may be value.
static void gate_silu(const float *value, const float *gate, int32_t width, float *y) {
    int32_t i = 0;
    for (; i + LANES <= width; i += LANES) {
        const vf g = load(gate + i);
        store(y + i, load(value + i) * (g / (splat(1.0f) + exp_(-g))));
    }
    for (; i < width; i++) y[i] = value[i] * (gate[i] / (1.0f + expf(-gate[i])));
}
