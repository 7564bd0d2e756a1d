package import Foundation

/// The small random FastConformer models of `Tests/Fixtures/fastconformer`, and transformers' results for them.
///
/// `Tools/goldens/make_fastconformer_goldens.py` made them. Weights and inputs are SplitMix64's, or listed.
package struct FastConformerGoldens: Sendable {
    /// Numbers in `values.bin`.
    package struct Part: Decodable, Sendable {
        package var offset: Int
        package var shape: [Int]
    }

    /// Log-mel rows of an audio of so many samples: every `step`-th row and every third band.
    package struct Features: Decodable, Sendable {
        package var bands: Int
        package var samples: Int
        package var frames: Int
        /// Whether each band is normalised over the utterance.
        package var normalized: Bool
        /// The distance between the rows that are kept.
        package var step: Int
        package var mean: Double
        package var rows: Part
    }

    /// The encoder's frames before its layers and after each of them.
    package struct Encoding: Decodable, Sendable {
        package var frames: Int
        package var num_lookahead_tokens: Int?
        /// Frames before the layers, then after each layer.
        package var outputs: [Part]
    }

    /// CTC logits of mel rows.
    package struct Logits: Decodable, Sendable {
        package var frames: Int
        package var logits: Part
    }

    /// Tokens of mel rows or of audio: id, frame and duration of each.
    package struct Tokens: Decodable, Sendable {
        package var frames: Int?
        package var samples: Int?
        package var look_ahead: Int?
        package var prompt: Int?
        package var tokens: [[Int]]
    }

    /// A tensor's values: uniform in `centre` ± `span`, or listed.
    package struct Tensor: Decodable, Sendable {
        package var shape: [Int]
        package var centre: Double?
        package var span: Double?
        package var values: [Float]?

        package init(shape: [Int], values: [Float]) {
            self.shape = shape
            self.values = values
        }
    }

    package struct Model: Decodable, Sendable {
        package var seed: UInt64
        package var config: String
        package var tensors: [String: Tensor]
        package var encoder: [Encoding]
        package var logits: Logits?
        package var tokens: Tokens?
        package var audio: [Tokens]?
    }

    private struct Index: Decodable {
        struct AllFeatures: Decodable {
            var seed: UInt64
            var goldens: [Features]
        }

        var features: AllFeatures
        var models: [String: Model]
    }

    package let models: [String: Model]
    package let features: [Features]
    package let featureSeed: UInt64
    private let values: [Float]

    /// The fixture, read once.
    package static let shared = Result { try FastConformerGoldens() }

    private init() throws {
        let folder = Fixtures.file("fastconformer")
        let data = try Data(contentsOf: folder.appendingPathComponent("index.json"))
        let index = try JSONDecoder().decode(Index.self, from: data)
        models = index.models
        features = index.features.goldens
        featureSeed = index.features.seed
        values = floats(try Data(contentsOf: folder.appendingPathComponent("values.bin")))
    }

    package func values(_ part: Part) -> ArraySlice<Float> {
        values[part.offset..<part.offset + part.shape.reduce(1, *)]
    }

    /// Noise that pauses, and whose loudness changes by powers of two.
    package static func audio(seed: UInt64, count: Int) -> [Float] {
        var random = SplitMix64(seed: seed, name: "audio")
        var samples = random.uniform(count: count, centre: 0, span: 0.25)
        for index in count / 4..<count / 3 { samples[index] = 0 }
        for index in count / 2..<count * 5 / 8 { samples[index] /= 128 }
        return samples
    }

    /// Mel rows, [frames, bands].
    package static func mel(seed: UInt64, frames: Int, bands: Int) -> [Float] {
        var random = SplitMix64(seed: seed, name: "mel \(frames)")
        return random.uniform(count: frames * bands, centre: 0, span: 3.0.squareRoot())
    }
}

extension FastConformerGoldens.Model {
    package func values(of name: String) -> [Float] {
        guard let tensor = tensors[name] else { return [] }
        if let values = tensor.values { return values }
        var random = SplitMix64(seed: seed, name: name)
        return random.uniform(
            count: tensor.shape.reduce(1, *), centre: Float(tensor.centre ?? 0), span: tensor.span ?? 0)
    }

    /// Writes `model.safetensors`, `config.json` and a `tokenizer.json`.
    ///
    /// - Parameters:
    ///   - pieces: The number of tokens, which are `▁0`, `▁1` and so on.
    ///   - others: The tokens that differ from that, by their numbers.
    package func write(to folder: URL, pieces: Int = 33, others: [Int: String] = [:]) throws {
        let all = tensors.sorted { $0.key < $1.key }.map { name, tensor in
            (name, tensor.shape, values(of: name).withUnsafeBytes { Data($0) })
        }
        try safetensorsFile(all).bytes.write(to: folder.appendingPathComponent("model.safetensors"))
        try Data(config.utf8).write(to: folder.appendingPathComponent("config.json"))
        let vocabulary = (0..<pieces).map { "\"\(others[$0] ?? "\u{2581}\($0)")\":\($0)" }.joined(separator: ",")
        try Data(#"{"model":{"type":"BPE","vocab":{\#(vocabulary)}}}"#.utf8)
            .write(to: folder.appendingPathComponent("tokenizer.json"))
    }
}

extension FastConformerGoldens {
    /// Writes the folder of a small random Parakeet, whose text means nothing: whole utterances, in English.
    package static func writeParakeet(to folder: URL) throws { try write("tdt", to: folder, blank: 4) }

    /// Writes the folder of a small random Nemotron: a stream in the language of a prompt, German, English or Norwegian.
    package static func writeNemotron(to folder: URL) throws {
        try write("nemotron-prompts", to: folder, blank: 8, others: [30: "<de-DE>", 31: "<en-US>"])
        let prompts = #"{"auto": 5, "de-DE": 2, "de": 2, "en-US": 0, "en": 0, "en-GB": 1, "no": 3}"#
        try Data(#"{"prompt_dictionary": \#(prompts)}"#.utf8)
            .write(to: folder.appendingPathComponent("processor_config.json"))
    }

    /// - Parameter blank: Added to the bias of blank, since speech has other tokens than the noise of the goldens.
    private static func write(_ name: String, to folder: URL, blank: Float, others: [Int: String] = [:]) throws {
        guard var model = try shared.get().models[name], let bias = model.tensors["joint.head.bias"],
            var values = bias.values
        else { throw CocoaError(.fileReadCorruptFile) }
        values[32] += blank
        model.tensors["joint.head.bias"] = Tensor(shape: bias.shape, values: values)
        try model.write(to: folder, others: others)
    }
}
