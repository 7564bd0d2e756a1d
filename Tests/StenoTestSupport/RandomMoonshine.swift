package import Foundation

/// A Moonshine model with random weights, and transformers' results for it.
///
/// The values are identical in Swift and Python; the rules are in `Tools/support/random_moonshine.py`.
package struct RandomMoonshine: Sendable {
    /// An input and transformers' results.
    package struct Clip: Sendable {
        package var samples: [Float]
        package var frames: Int
        /// The encoder's output, [frames, width].
        package var encoder: [Float]
        /// The greedy text, without its start and its end.
        package var tokens: [Int]
        /// The logits of every step, the end's included.
        package var logits: [[Float]]
        /// The mean of all heads' cross-attention weights at the second step; empty if there was none.
        package var weights: [Float]
        /// Whether a streaming model's windows were counted as it was trained, not as transformers does.
        package var isInclusive: Bool
    }

    package let clips: [Clip]
    private let golden: Golden
    private let config: Data

    /// The models for whole utterances, by the width of their heads.
    package static let whole = ["whole-36", "whole-52", "whole-24"]
    /// The streaming models, by the width of their encoder's heads.
    package static let streaming = ["streaming-16", "streaming-20"]

    package init(_ name: String) throws {
        let file = try Data(contentsOf: Fixtures.file("moonshine/\(name).json"))
        let golden = try JSONDecoder().decode(Golden.self, from: file)
        let object = try JSONSerialization.jsonObject(with: file) as? [String: Any]
        config = try JSONSerialization.data(withJSONObject: object?["config"] ?? [:], options: .sortedKeys)
        clips = golden.clips.map { clip in
            let logits = Self.floats(clip.logits)
            let steps = stride(from: 0, to: logits.count, by: golden.config.vocab_size)
            return Clip(
                samples: Self.samples(clip.samples), frames: clip.frames, encoder: Self.floats(clip.encoder),
                tokens: clip.tokens, logits: steps.map { Array(logits[$0..<$0 + golden.config.vocab_size]) },
                weights: clip.weights.map(Self.floats) ?? [], isInclusive: clip.inclusive ?? false)
        }
        self.golden = golden
    }

    package var vocabularySize: Int { golden.config.vocab_size }

    package var parameterCount: Int { golden.tensors.reduce(0) { $0 + $1.shape.reduce(1, *) } }

    /// Noise, the input of all models.
    package static func samples(_ count: Int) -> [Float] {
        var stream = SplitMix64(seed: seed, name: "samples")
        return stream.uniform(count: count, centre: 0, span: 1)
    }

    /// Writes the model as transformers saves it, with a vocabulary of letters.
    ///
    /// - Parameter change: Changes its configuration.
    package func write(to folder: URL, change: (inout [String: Any]) -> Void = { _ in }) throws {
        try safetensors().write(to: folder.appendingPathComponent("model.safetensors"))
        var content = try JSONSerialization.jsonObject(with: config) as? [String: Any] ?? [:]
        change(&content)
        try writeJSON(content, to: folder, as: "config")
        try Self.writeTokenizer(count: vocabularySize, to: folder)
    }

    /// Writes a `tokenizer.json`: three special tokens, and then words of one letter, every other one with a space.
    package static func writeTokenizer(count: Int, to folder: URL) throws {
        let special = ["<unk>", "<s>", "</s>"]
        let pieces = special + (special.count..<count).map { ($0.isMultiple(of: 2) ? "▁" : "") + letter($0) }
        let content: [String: Any] = [
            "model": ["type": "BPE", "vocab": Dictionary(uniqueKeysWithValues: zip(pieces, 0..<count))],
            "added_tokens": special.enumerated().map { ["id": $0, "content": $1, "special": true] as [String: Any] },
        ]
        try writeJSON(content, to: folder, as: "tokenizer")
    }

    /// A different letter for each id below some thousands.
    private static func letter(_ id: Int) -> String { String(Unicode.Scalar(UInt16(0x4E00 + id)) ?? "x") }
}

extension RandomMoonshine {
    private static let seed: UInt64 = 20_260_704

    private func safetensors() -> Data {
        safetensorsFile(golden.tensors.map { ($0.name, $0.shape, Self.values($0).withUnsafeBytes { Data($0) }) }).bytes
    }

    private static func values(_ tensor: Tensor) -> [Float] {
        let (centre, span) = role(tensor)
        var stream = SplitMix64(seed: seed, name: tensor.name)
        return stream.uniform(count: tensor.shape.reduce(1, *), centre: centre, span: span)
    }

    private static func role(_ tensor: Tensor) -> (centre: Float, span: Double) {
        let name = tensor.name
        if name.hasSuffix(".log_k") { return (-0.3, 0.1) }
        if name.hasSuffix(".gamma") { return (0, 0.2) }
        if name.hasSuffix(".bias") { return (0, 0.1) }
        if tensor.shape.count == 1 { return (1, 0.2) }
        if name.hasSuffix("embed_tokens.weight") { return (0, 0.1) }
        if name.hasSuffix("pos_emb.weight") { return (0, 1) }
        let fanIn = tensor.shape.dropFirst().reduce(1, *)
        return (0, (3 / Double(fanIn)).squareRoot() * (name.contains(".q_proj.") ? 2 : 1))
    }

    private static func floats(_ text: String) -> [Float] {
        StenoTestSupport.floats(Data(base64Encoded: text) ?? Data())
    }
}

extension RandomMoonshine {
    private struct Golden: Decodable, Sendable {
        var config: Config
        var tensors: [Tensor]
        var clips: [Results]
    }

    private struct Config: Decodable, Sendable { var vocab_size: Int }

    /// A tensor: its name and its shape.
    private struct Tensor: Decodable, Sendable {
        var name: String
        var shape: [Int]

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            name = try container.decode(String.self)
            shape = try container.decode([Int].self)
        }
    }

    private struct Results: Decodable, Sendable {
        var samples: Int
        var frames: Int
        var encoder: String
        var tokens: [Int]
        var logits: String
        var weights: String?
        var inclusive: Bool?
    }
}
