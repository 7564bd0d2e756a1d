// The table of one instruction set: included last.
const steno_kernels TABLE = {
    .name = TABLE_NAME,
    .panel = PANEL,
    .group = GROUP,
    .activation_bytes = sizeof(activation),
    .activation_offset = ACTIVATION_OFFSET,
    .quantize = quantize,
    .multiply_float = multiply_float,
    .multiply_int8 = multiply_int8,
    .attend = attend,
    .scores = scores,
    .attend_cached = attend_cached,
    .layer_norm = layer_norm,
    .maximum = maximum,
    .sum_exp = sum_exp,
    .widen_float16 = widen_float16,
};
