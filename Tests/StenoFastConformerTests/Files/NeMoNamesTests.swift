import Testing

@testable import StenoFastConformer

/// Where NeMo keeps what transformers' models have.
struct NeMoNamesTests {
    @Test(arguments: [
        ("encoder.subsampling.layers.3.weight", "encoder.pre_encode.conv.3.weight"),
        ("encoder.subsampling.linear.bias", "encoder.pre_encode.out.bias"),
        ("encoder.layers.11.self_attn.q_proj.weight", "encoder.layers.11.self_attn.linear_q.weight"),
        ("encoder.layers.0.self_attn.o_proj.bias", "encoder.layers.0.self_attn.linear_out.bias"),
        ("encoder.layers.0.self_attn.relative_k_proj.weight", "encoder.layers.0.self_attn.linear_pos.weight"),
        ("encoder.layers.0.self_attn.bias_u", "encoder.layers.0.self_attn.pos_bias_u"),
        ("encoder.layers.0.conv.norm.running_var", "encoder.layers.0.conv.batch_norm.running_var"),
        ("encoder.layers.0.conv.pointwise_conv1.weight", "encoder.layers.0.conv.pointwise_conv1.weight"),
        ("encoder.layers.0.norm_out.weight", "encoder.layers.0.norm_out.weight"),
        ("decoder.embedding.weight", "decoder.prediction.embed.weight"),
        ("decoder.lstm.weight_hh_l1", "decoder.prediction.dec_rnn.lstm.weight_hh_l1"),
        ("decoder.decoder_projector.bias", "joint.pred.bias"), ("encoder_projector.weight", "joint.enc.weight"),
        ("joint.head.weight", "joint.joint_net.2.weight"), ("ctc_head.bias", "ctc_decoder.decoder_layers.0.bias"),
        ("prompt_projector.linear_2.weight", "prompt_kernel.2.weight"), ("unknown", "unknown"),
    ])
    func aTensorHasANameInNeMo(name: String, stored: String) {
        #expect(NeMoNames.stored(name).first == stored)
    }

    /// Models with one head have other names than hybrid ones.
    @Test func someTensorsMayHaveOtherNames() {
        #expect(NeMoNames.stored("ctc_head.weight").last == "decoder.decoder_layers.0.weight")
        #expect(NeMoNames.stored("joint.head.weight").last == "joint.joint_net.1.weight")
    }
}
