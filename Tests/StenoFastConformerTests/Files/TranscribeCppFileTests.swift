import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Models that transcribe.cpp's own programs made of those of NeMo (Tools/goldens/make_gguf_goldens.py).
struct TranscribeCppFileTests {
    private static func url(_ name: String) -> URL { Fixtures.file("gguf/\(name).gguf") }

    private static func model(_ name: String) throws -> FastConformerModel {
        try FastConformerModel.open(url(name), precision: .float32, threads: 1)
    }

    @Test(arguments: ["hybrid", "prompted"])
    func theConfigurationIsThatOfTheOriginal(name: String) throws {
        var expected = try NeMoFile(path: NeMoGoldens.url(name).path).configuration
        // What its converter leaves out, and an order that it changes: the largest look-ahead is the default.
        expected.hasCTC = false
        expected.streaming?.lookAheads = [3, 1, 0]
        let file = try TranscribeCppFile(path: Self.url(name).path)
        #expect(file.configuration == expected)
        #expect(file.source.format == "GGUF (transcribe.cpp)")
        #expect(file.source.storedPrecision == "float32")
        #expect(try ModelIdentity(at: Self.url(name)).family == "parakeet")
    }

    @Test(arguments: ["hybrid", "prompted"])
    func everyTensorIsThatOfTheOriginal(name: String) throws {
        let original = try NeMoFile(path: NeMoGoldens.url(name).path)
        let file = try TranscribeCppFile(path: Self.url(name).path)
        var names = Self.layer.map { "encoder.layers.0." + $0 }
        names += [0, 2, 3, 5, 6].map { "encoder.subsampling.layers.\($0)" }
        names += ["encoder.subsampling.linear", "decoder.decoder_projector", "encoder_projector", "joint.head"]
        names += ["decoder.embedding", "prompt_projector.linear_1", "prompt_projector.linear_2"]
        names = names.flatMap { [$0 + ".weight", $0 + ".bias"] }
        names += ["decoder.lstm.weight_ih_l0", "decoder.lstm.weight_hh_l0", "encoder.layers.0.conv.norm.running_mean"]
        names += ["encoder.layers.0.self_attn.bias_u", "encoder.layers.0.self_attn.bias_v"]
        var count = 0
        for name in names {
            let tensor = try file.tensor(name), expected = try original.tensor(name)
            #expect(tensor?.shape == expected?.shape, "\(name)")
            let values = try tensor?.floats().array
            #expect(try values == expected?.floats().array, "\(name)")
            count += tensor == nil ? 0 : 1
        }
        #expect(count > 45)
        // Two biases became one.
        let bias = try file.tensor("decoder.lstm.bias_ih_l0")?.floats().array
        let parts = try ["ih", "hh"].map { try original.tensor("decoder.lstm.bias_\($0)_l0")?.floats().array ?? [] }
        #expect(bias == zip(parts[0], parts[1]).map { $0 + $1 })
        #expect(try file.tensor("decoder.lstm.bias_hh_l0") == nil && file.tensor("nothing") == nil)
    }

    private static let layer = [
        "norm_feed_forward1", "feed_forward1.linear1", "feed_forward1.linear2", "norm_self_att", "self_attn.q_proj",
        "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "self_attn.relative_k_proj", "norm_conv",
        "conv.pointwise_conv1", "conv.depthwise_conv", "conv.norm", "conv.pointwise_conv2", "norm_feed_forward2",
        "feed_forward2.linear1", "feed_forward2.linear2", "norm_out",
    ]

    @Test func tokensAreThoseOfTheOriginal() throws {
        let noise = NeMoGoldens.noise
        let hybrid = try Self.model("hybrid"), prompted = try Self.model("prompted")
        #expect(hybrid.tokenizer.pieces == (try NeMoGoldens.model("hybrid").tokenizer.pieces))
        #expect(prompted.tokenizer.pieces == (try NeMoGoldens.model("prompted").tokenizer.pieces))
        #expect(try hybrid.makeState().transcribe(noise).plain == NeMoGoldens.expected("hybrid").transducer)
        let expected = try NeMoGoldens.expected("prompted"), state = try prompted.makeState()
        #expect(try state.transcribe(noise, language: "de-DE").plain == expected.german)
        #expect(try state.transcribe(noise).plain == expected.automatic)
    }

    // MARK: Other ways of storing

    @Test func aModelInFloat16HasItsCTCHead() throws {
        let file = try TranscribeCppFile(path: Self.url("ctc").path), model = try Self.model("ctc")
        #expect(file.configuration.hasCTC && file.configuration.transducer == nil)
        #expect(file.configuration.vocabularySize == 60 && file.source.storedPrecision == "float16")
        let original = try NeMoFile(path: NeMoGoldens.url("hybrid").path)
        let name = "encoder.layers.0.feed_forward1.linear1.weight"
        let values = try #require(try file.tensor(name)?.floats().array)
        let expected = try #require(try original.tensor(name)?.floats().array)
        #expect(zip(values, expected).allSatisfy { abs($0 - $1) <= abs($1) / 2048 + 1e-7 })
        let tokens = try model.makeState(head: .ctc).transcribe(NeMoGoldens.noise)
        #expect(try tokens.map { [$0.id, $0.frame] } == NeMoGoldens.expected("hybrid").ctc)
    }

    @Test func aModelInQ8IsReadInBlocks() throws {
        let file = try TranscribeCppFile(path: Self.url("hybrid-q8_0").path)
        #expect(file.source.storedPrecision == "q8_0")
        let original = try NeMoFile(path: NeMoGoldens.url("hybrid").path)
        for name in ["encoder.layers.0.self_attn.q_proj.weight", "encoder.layers.0.feed_forward2.linear2.weight"] {
            let values = try #require(try file.tensor(name)?.floats().array)
            let expected = try #require(try original.tensor(name)?.floats().array)
            let largest = expected.map(abs).max() ?? 0
            #expect(zip(values, expected).allSatisfy { abs($0 - $1) <= largest / 253 })
        }
        _ = try Self.model("hybrid-q8_0").makeState().transcribe(NeMoGoldens.noise)
    }

    // MARK: Other files

    /// Opens a golden in which the first occurrence of a text is another one of the same length.
    private static func open(_ name: String, _ changes: [(from: String, to: String)]) throws -> TranscribeCppFile {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.gguf")
        var bytes = try Data(contentsOf: Self.url(name))
        for (from, to) in changes {
            let place = try #require(bytes.range(of: Data(from.utf8)))
            try #require(from.utf8.count == to.utf8.count)
            bytes.replaceSubrange(place, with: Data(to.utf8))
        }
        try bytes.write(to: url)
        return try TranscribeCppFile(path: url.path)
    }

    /// Opens a golden in which a number of 32 bits is another one.
    private static func open(_ name: String, _ key: String, _ number: UInt32) throws -> TranscribeCppFile {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.gguf")
        var bytes = try Data(contentsOf: Self.url(name))
        let place = try #require(bytes.range(of: Data(key.utf8))).upperBound + 4
        bytes.replaceSubrange(place..<place + 4, with: le(number))
        try bytes.write(to: url)
        return try TranscribeCppFile(path: url.path)
    }

    @Test(arguments: [
        ("parakeet", "sortform", "architecture sortform"), ("tdt", "xyz", "head_kind is xyz"),
        ("batch_norm", "group_norm", "conv_norm_type is group_norm"), ("relu", "tanh", "joint.activation is tanh"),
        ("per_feature", "all_feature", "normalize is all_feature"), ("hann", "hamm", "window is hamm"),
        ("regular", "relaxed", "way of streaming"),
    ])
    func otherModelsAreNamed(from: String, to: String, reason: String) throws {
        // Behind names, so that a value is replaced: a text follows its type, 8, and its length.
        func value(_ text: String) -> String {
            "\u{8}\0\0\0\(Character(UnicodeScalar(UInt8(text.utf8.count))))\0\0\0\0\0\0\0" + text
        }
        expectError(.modelUnsupported, says: reason) { try Self.open("hybrid", [(value(from), value(to))]) }
    }

    @Test(
        arguments: [
            ("encoder.subsampling_factor", 4), ("frontend.sample_rate", 8000), ("frontend.n_fft", 1024),
            ("frontend.hop_length", 128), ("frontend.pre_emphasis", 0), ("encoder.n_layers", 1000),
        ] as [(String, UInt32)])
    func otherNumbersAreNamed(key: String, number: UInt32) throws {
        expectError(.modelUnsupported) { try Self.open("hybrid", key, number) }
    }

    @Test func whatContradictsItselfIsDamaged() throws {
        expectError(.modelDamaged, says: "5 durations") { try Self.open("hybrid", "joint.num_extra_outputs", 4) }
        expectError(.modelDamaged, says: "encoder.d_model") {
            try Self.open("hybrid", [("encoder.d_model", "encoder.d_mooel")])
        }
        expectError(.modelDamaged, says: "languages") {
            try Self.open("prompted", [("prompt.dictionary.indices", "prompt.dictionary.indicez")])
        }
        let file = try Self.open("hybrid", [("tokenizer.ggml.tokens", "tokenizer.ggml.tokenz")])
        expectError(.modelDamaged, says: "tokenizer.ggml.tokens") { try file.tokenizer {} }
        // Neither causal nor centred.
        expectError(.modelUnsupported, says: "causal") { try Self.open("hybrid", "encoder.conv_context_left", 8) }
        expectError(.modelUnsupported, says: "streaming") { try Self.open("prompted", "encoder.conv_context_right", 4) }
    }

    @Test func filesOfOtherProgramsAreNamed() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.gguf")
        var file = GGUFModelFile()
        file.values = [("general.architecture", .text("llama"))]
        try file.bytes.write(to: url)
        #expect(try ModelIdentity(at: url).family == "llama")
        expectError(.modelUnsupported, says: "architecture llama") { try FastConformerModel.open(url) }
        file.values = []
        try file.bytes.write(to: url)
        #expect(try ModelIdentity(at: url).family == "gguf")
        expectError(.modelUnsupported, says: "no name") { try FastConformerModel.open(url) }
        try Data("GGUF".utf8).write(to: url)
        expectError(.modelDamaged) { try FastConformerModel.open(url) }
    }
}
