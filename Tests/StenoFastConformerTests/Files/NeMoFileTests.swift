import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Models in `.nemo` files, written by PyTorch (Tools/goldens/make_nemo_goldens.py) or put together here.
struct NeMoFileTests {
    // MARK: The files of PyTorch

    @Test func aHybridModelHasBothHeads() throws {
        let configuration = try NeMoFile(path: NeMoGoldens.url("hybrid").path).configuration
        var expected = FastConformerConfiguration()
        (expected.melCount, expected.layers, expected.width, expected.heads) = (80, 1, 32, 2)
        (expected.feedForwardWidth, expected.kernelSize, expected.subsamplingChannels) = (128, 9, 8)
        (expected.scalesInput, expected.normalizesFeatures, expected.convolutionNorm) = (false, true, .batch)
        (expected.vocabularySize, expected.hasCTC) = (60, true)
        expected.transducer = .init(
            predictorWidth: 16, predictorLayers: 1, jointWidth: 16, durations: [0, 1, 2, 3, 4], maximumSymbols: 10)
        #expect(configuration == expected)
    }

    @Test func aStreamingModelHasLookAheadsAndPrompts() throws {
        let configuration = try NeMoFile(path: NeMoGoldens.url("prompted").path).configuration
        #expect(configuration.streaming == .init(left: 14, lookAheads: [3, 0, 1]))
        #expect(configuration.convolutionNorm == .layer)
        #expect(!configuration.normalizesFeatures && !configuration.hasCTC)
        #expect(configuration.transducer?.durations == [])
        let prompts = try #require(configuration.prompts)
        #expect(prompts.count == 8)
        #expect(prompts.hiddenWidth == 64)
        #expect(prompts.automatic == 5)
        #expect(prompts.ids["de-DE"] == 2 && prompts.ids["no"] == 3)
    }

    @Test func theSourceIsDescribed() throws {
        let source = try NeMoFile(path: NeMoGoldens.url("hybrid").path).source
        #expect(source.format == "NeMo archive")
        #expect(source.storedPrecision == "float32")
        #expect(source.byteCount == 174_080)
    }

    /// The encoders are those of transformers, so every tensor must be where its name says.
    @Test func tokensAreThoseOfTransformers() throws {
        let model = try NeMoGoldens.model("hybrid"), expected = try NeMoGoldens.expected("hybrid")
        let noise = NeMoGoldens.noise
        func tokens(_ head: FastConformerHead) throws -> [FastConformerToken] {
            try noise.withUnsafeBufferPointer { try model.makeState(head: head).transcribe($0) }
        }
        #expect(try tokens(.transducer).map { [$0.id, $0.frame, $0.frames] } == expected.transducer)
        #expect(try tokens(.ctc).map { [$0.id, $0.frame] } == expected.ctc)
    }

    @Test func aCompressedFileIsTheSameModel() throws {
        let model = try NeMoGoldens.model("compressed"), expected = try NeMoGoldens.expected("hybrid")
        #expect(model.configuration == (try NeMoGoldens.model("hybrid").configuration))
        #expect(model.source.byteCount == 174_080)
        #expect(try model.makeState().transcribe(NeMoGoldens.noise).plain == expected.transducer)
        let identity = try ModelIdentity(at: NeMoGoldens.url("compressed"))
        #expect(identity.family == "encdechybridrnntctcbpemodel")
    }

    @Test func decompressingCanBeCancelled() {
        expectError(.cancelled) {
            try FastConformerModel.open(NeMoGoldens.url("compressed"), threads: 1) { true }
        }
        struct Stop: Error {}
        #expect(throws: Stop.self) { try NeMoFile(path: NeMoGoldens.url("compressed").path) { throw Stop() } }
    }

    @Test func aPromptChangesTheTokens() throws {
        let model = try NeMoGoldens.model("prompted"), expected = try NeMoGoldens.expected("prompted")
        let noise = NeMoGoldens.noise, state = try model.makeState()
        let cases: [(language: String?, tokens: [[Int]]?)] = [("de-DE", expected.german), (nil, expected.automatic)]
        for (language, tokens) in cases {
            let found = try noise.withUnsafeBufferPointer { try state.transcribe($0, language: language) }
            #expect(found.map { [$0.id, $0.frame, $0.frames] } == tokens)
        }
    }

    // MARK: Other files

    private static let target = "target: nemo.collections.asr.models.ctc_bpe_models.EncDecCTCModelBPE\n"
    private static let preprocessor =
        "preprocessor: {sample_rate: 16000, normalize: per_feature, window_size: 0.025, window_stride: 0.01, window: hann, "
        + "features: 80, n_fft: 512}\n"
    private static let encoder =
        "encoder: {n_layers: 1, d_model: 32, n_heads: 2, subsampling: dw_striding, subsampling_factor: 8, "
        + "subsampling_conv_channels: 8, conv_kernel_size: 9, xscaling: true"
    private static let ctc: [(name: String, shape: [Int])] = [("decoder.decoder_layers.0.weight", [33, 32, 1])]

    private static func open(_ yaml: String, _ tensors: [(name: String, shape: [Int])] = ctc) throws -> NeMoFile {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.nemo")
        try nemoFile(configuration: yaml, tensors: tensors, pieces: (0..<32).map { "p\($0)" }).write(to: url)
        return try NeMoFile(path: url.path)
    }

    @Test func missingSettingsHaveNeMosDefaults() throws {
        let configuration = try Self.open(Self.target + Self.preprocessor + Self.encoder + "}").configuration
        #expect(configuration.hasCTC && configuration.transducer == nil)
        #expect(configuration.vocabularySize == 32)
        #expect(configuration.feedForwardWidth == 128)
        #expect(configuration.scalesInput && configuration.convolutionNorm == .batch)
        #expect(configuration.streaming == nil && configuration.prompts == nil)
    }

    @Test(arguments: [
        ("subsampling: striding", "encoder.subsampling is striding"),
        ("subsampling_factor: 4", "subsampling_factor is 4"),
        ("self_attention_model: abs_pos", "self_attention_model is abs_pos"),
        ("reduction: pooling", "reduction is pooling"),
        ("conv_norm_type: group_norm8", "conv_norm_type is group_norm8"),
        ("conv_context_size: causal", "cannot stream"),
        ("causal_downsampling: true", "way of streaming"), ("n_heads: 3", "3 heads"),
    ])
    func otherEncodersAreUnsupported(setting: String, reason: String) {
        let yaml = Self.target + Self.preprocessor + Self.encoder + ", " + setting + "}"
        expectError(.modelUnsupported, says: reason) { try Self.open(yaml) }
    }

    @Test func otherModelsAreUnsupported() {
        let rest = Self.preprocessor + Self.encoder + "}"
        expectError(.modelUnsupported, says: "EncDecMultiTaskModel") {
            try Self.open("target: nemo.collections.asr.models.aed_multitask_models.EncDecMultiTaskModel\n" + rest)
        }
        expectError(.modelUnsupported, says: "no class") { try Self.open(rest) }
        let features = Self.preprocessor.replacingOccurrences(of: "n_fft: 512", with: "n_fft: 1024")
        expectError(.modelUnsupported, says: "preprocessor.n_fft is 1024") {
            try Self.open(Self.target + features + Self.encoder + "}")
        }
    }

    @Test func incompleteModelsAreDamaged() {
        let yaml = Self.target + Self.preprocessor + Self.encoder + "}"
        expectError(.modelDamaged, says: "encoder.n_layers") {
            try Self.open(yaml.replacingOccurrences(of: "n_layers: 1, ", with: ""))
        }
        expectError(.modelUnsupported, says: "encoder.subsampling is missing") {
            try Self.open(Self.target + Self.preprocessor + "encoder: {n_layers: 1}")
        }
        expectError(.modelDamaged, says: "neither") { try Self.open(yaml, [("other", [1])]) }
        expectError(.modelDamaged, says: "fit together") {
            try Self.open(yaml, [("decoder.prediction.embed.weight", [33, 16]), ("joint.pred.weight", [16, 16])])
        }
        let transducer: [(name: String, shape: [Int])] = [
            ("decoder.prediction.embed.weight", [33, 16]), ("joint.pred.weight", [16, 16]),
            ("joint.joint_net.2.weight", [36, 16]), ("decoder.prediction.dec_rnn.lstm.weight_ih_l0", [64, 16]),
        ]
        expectError(.modelDamaged, says: "list of 3 durations") { try Self.open(yaml, transducer) }
        expectError(.modelDamaged, says: "no tensor encoder.") {
            try FastConformerModel.load(weights: Self.open(yaml + "\ndecoding: {durations: [0, 1, 2]}", transducer))
        }
    }
}
