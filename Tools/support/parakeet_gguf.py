"""A Parakeet TDT model of transformers in a GGUF file of transcribe.cpp, in float32 (its `transcribe-quantize` does the rest).

Names and values are those of its convert-parakeet.py, which needs NeMo's archive instead of transformers' weights.
"""
import re

MODULES = {
    "encoder.subsampling.layers.": "enc.pre_encode.conv.", "encoder.subsampling.linear.": "enc.pre_encode.out.",
    "decoder.embedding.": "pred.embed.", "decoder.decoder_projector.": "joint.pred.", "encoder_projector.": "joint.enc.",
    "joint.head.": "joint.out."}
PARTS = {
    "norm_feed_forward": "norm_ff", "feed_forward": "ff", "norm_self_att.": "norm_attn.", "self_attn.q_proj": "attn.linear_q",
    "self_attn.k_proj": "attn.linear_k", "self_attn.v_proj": "attn.linear_v", "self_attn.o_proj": "attn.linear_out",
    "self_attn.relative_k_proj": "attn.linear_pos", "self_attn.bias_": "attn.pos_bias_", "conv.pointwise_conv": "conv.pointwise",
    "conv.depthwise_conv": "conv.depthwise", "conv.norm.": "conv.bn."}


def stored(name):
    """The file's name of a tensor."""
    layer = re.fullmatch(r"encoder\.layers\.(\d+)\.(.*)", name)
    names, rest, prefix = (PARTS, layer[2], f"enc.blocks.{layer[1]}.") if layer else (MODULES, name, "")
    for start, new in names.items():
        if rest.startswith(start):
            return prefix + new + rest[len(start):]
    return prefix + rest


def write(path, config, weights, pieces, durations):
    """Writes a model.

    config is a ParakeetTDTConfig, weights the state_dict of its model, pieces the texts of all tokens before blank.
    """
    import gguf
    writer = gguf.GGUFWriter(path, "parakeet")
    encoder = config.encoder_config
    half = (encoder.conv_kernel_size - 1) // 2
    writer.add_string("general.name", "random")
    writer.add_array("general.languages", ["en"])
    writer.add_string("stt.variant", "random")
    writer.add_bool("stt.capability.streaming", False)
    writer.add_string("tokenizer.ggml.model", "bpe")
    writer.add_array("tokenizer.ggml.tokens", [*pieces, "<blank>"])
    writer.add_array("tokenizer.ggml.scores", [0.0] * (len(pieces) + 1))
    writer.add_array("tokenizer.ggml.token_type", [1] * len(pieces) + [3])
    writer.add_uint32("tokenizer.ggml.blank_token_id", len(pieces))
    numbers = {
        "encoder.n_layers": encoder.num_hidden_layers, "encoder.d_model": encoder.hidden_size,
        "encoder.n_heads": encoder.num_attention_heads, "encoder.d_ff": encoder.intermediate_size,
        "encoder.conv_kernel": encoder.conv_kernel_size, "encoder.subsampling_factor": 8,
        "encoder.subsampling_channels": encoder.subsampling_conv_channels, "encoder.pos_emb_max_len": 5000,
        "predictor.hidden": config.decoder_hidden_size, "predictor.n_layers": config.num_decoder_layers,
        "predictor.vocab": len(pieces) + 1, "joint.hidden": config.decoder_hidden_size, "joint.num_extra_outputs": len(durations),
        "tdt.max_symbols": 10}
    for name, number in numbers.items():
        writer.add_uint32(f"stt.parakeet.{name}", number)
    for name, number in {"att_context_left": -1, "att_context_right": -1, "conv_context_left": half, "conv_context_right": half}.items():
        writer.add_int32(f"stt.parakeet.encoder.{name}", number)
    for name, text in {"head_kind": "tdt", "encoder.att_context_style": "regular", "encoder.conv_norm_type": "batch_norm",
                       "joint.activation": "relu"}.items():
        writer.add_string(f"stt.parakeet.{name}", text)
    writer.add_bool("stt.parakeet.encoder.use_bias", encoder.attention_bias)
    writer.add_bool("stt.parakeet.encoder.xscaling", encoder.scale_input)
    writer.add_array("stt.parakeet.tdt.durations", durations)
    for name, text in {"type": "mel", "window": "hann", "normalize": "per_feature"}.items():
        writer.add_string(f"stt.frontend.{name}", text)
    for name, number in {"num_mels": encoder.num_mel_bins, "sample_rate": 16000, "n_fft": 512, "win_length": 400,
                         "hop_length": 160}.items():
        writer.add_uint32(f"stt.frontend.{name}", number)
    for name, number in {"dither": 0.0, "pre_emphasis": 0.97, "f_min": 0.0, "f_max": 8000.0}.items():
        writer.add_float32(f"stt.frontend.{name}", number)
    for name, value in weights.items():
        if "num_batches" in name or ".bias_hh_" in name:
            continue
        recurrent = re.fullmatch(r"decoder\.lstm\.(weight|bias)_(ih|hh)_l(\d)", name)
        if recurrent:
            kind, side, layer = recurrent.groups()
            if kind == "bias":
                value = value + weights[name.replace("_ih_", "_hh_")]
            target = f"pred.lstm.{layer}." + ("bias" if kind == "bias" else {"ih": "Wx", "hh": "Wh"}[side])
        else:
            target = stored(name)
        writer.add_tensor(target, value.detach().float().contiguous().numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
