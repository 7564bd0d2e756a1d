package import Foundation

/// A Whisper model of any shape with random weights, identical in Swift and Python.
///
/// The rules are in `Tools/support/random_model.py`. Only the reference packages' results for such models are committed.
package struct RandomModel: Sendable {
    package let shape: Shape
    /// The seed of all its tensors; the goldens' seed unless a test wants another model.
    package let seed: UInt64

    package init(_ shape: Shape, seed: UInt64 = 20_260_704) {
        self.shape = shape
        self.seed = seed
    }

    package struct Shape: Sendable, Hashable {
        /// Bands of the log-mel: 80 or 128.
        package var mels: Int
        /// Channels of encoder and decoder.
        package var width: Int
        /// The number of heads in every attention; `width` / 64 in Whisper.
        package var heads: Int
        package var encoderLayers: Int
        package var decoderLayers: Int
        /// 51865, or 51866 for a model that knows Cantonese.
        package var vocabulary: Int
        /// The number of encoder positions; 1500 in every published model.
        package var audioContext: Int
        /// The number of decoder positions; 448 in every published model.
        package var textContext: Int

        package init(
            mels: Int, width: Int, heads: Int, encoderLayers: Int, decoderLayers: Int, vocabulary: Int,
            audioContext: Int = 1500, textContext: Int = 448
        ) {
            self.mels = mels
            self.width = width
            self.heads = heads
            self.encoderLayers = encoderLayers
            self.decoderLayers = decoderLayers
            self.vocabulary = vocabulary
            self.audioContext = audioContext
            self.textContext = textContext
        }

        /// A truncated micro model: too small for a vocabulary, large enough to compare bytes.
        package static let sliver = Shape(
            mels: 80, width: 64, heads: 1, encoderLayers: 1, decoderLayers: 1, vocabulary: 500, audioContext: 100,
            textContext: 50)
        /// One narrow layer on each side: 4 M values, fast even in a debug build.
        package static let micro = Shape(
            mels: 80, width: 64, heads: 1, encoderLayers: 1, decoderLayers: 1, vocabulary: 51865)
        package static let tiny = Shape(
            mels: 80, width: 384, heads: 6, encoderLayers: 4, decoderLayers: 4, vocabulary: 51865)
        /// Whisper large-v3 with two layers on each side instead of 32.
        package static let largeV3 = Shape(
            mels: 128, width: 1280, heads: 20, encoderLayers: 2, decoderLayers: 2, vocabulary: 51866)
    }

    /// The dimensions of every tensor by its name in OpenAI's state dict.
    package var dimensions: [String: [Int]] {
        let d = shape.width
        var all: [String: [Int]] = [
            "encoder.conv1.weight": [d, shape.mels, 3], "encoder.conv1.bias": [d],
            "encoder.conv2.weight": [d, d, 3], "encoder.conv2.bias": [d],
            "encoder.positional_embedding": [shape.audioContext, d],
            "encoder.ln_post.weight": [d], "encoder.ln_post.bias": [d],
            "decoder.token_embedding.weight": [shape.vocabulary, d],
            "decoder.positional_embedding": [shape.textContext, d], "decoder.ln.weight": [d], "decoder.ln.bias": [d],
        ]
        for layer in 0..<shape.encoderLayers {
            all.merge(block("encoder.blocks.\(layer).", attentions: ["attn"])) { $1 }
        }
        for layer in 0..<shape.decoderLayers {
            all.merge(block("decoder.blocks.\(layer).", attentions: ["attn", "cross_attn"])) { $1 }
        }
        return all
    }

    private func block(_ prefix: String, attentions: [String]) -> [String: [Int]] {
        let d = shape.width
        var all: [String: [Int]] = [
            "mlp_ln.weight": [d], "mlp_ln.bias": [d],
            "mlp.0.weight": [4 * d, d], "mlp.0.bias": [4 * d], "mlp.2.weight": [d, 4 * d], "mlp.2.bias": [d],
        ]
        for attention in attentions {
            all["\(attention)_ln.weight"] = [d]
            all["\(attention)_ln.bias"] = [d]
            for part in ["query", "key", "value", "out"] {
                all["\(attention).\(part).weight"] = [d, d]
                all["\(attention).\(part).bias"] = part == "key" ? nil : [d]
            }
        }
        return Dictionary(uniqueKeysWithValues: all.map { (prefix + $0, $1) })
    }

    /// A tensor's values in row-major order.
    package func tensor(_ name: String, dimensions: [Int]) -> [Float] {
        let (centre, span) = role(name, dimensions)
        var stream = SplitMix64(seed: seed, name: name)
        return stream.uniform(count: dimensions.reduce(1, *), centre: centre, span: span)
    }

    /// Values like those of a normalised log-mel, [frames, mels] in row-major order.
    package func mel(frames: Int = 3000) -> [Float] {
        var stream = SplitMix64(seed: seed, name: "mel")
        return stream.uniform(count: frames * shape.mels, centre: 0.25, span: 1.25)
    }

    private func role(_ name: String, _ dimensions: [Int]) -> (centre: Float, span: Double) {
        switch name {
        case "decoder.token_embedding.weight": return (0, 0.08)
        case "decoder.positional_embedding": return (0, 0.05)
        case "encoder.positional_embedding": return (0, 0.5)
        case _ where name.hasSuffix(".bias"): return (0, 0.1)
        case _ where dimensions.count == 1: return (1, 0.2)
        default:
            let fanIn = dimensions.dropFirst().reduce(1, *)
            return (0, (3 / Double(fanIn)).squareRoot() * (name.hasSuffix(".query.weight") ? 2 : 1))
        }
    }
}

/// A model folder of half a megabyte: random weights, windows of two seconds, and a vocabulary of bytes.
///
/// It loads and decodes in milliseconds. Its text is meaningless.
package enum SmallModel {
    package static let model = RandomModel(shape)

    /// The vocabulary of a thousand tokens: every byte, the pairs of letters, and Whisper's special tokens.
    package static let vocabulary: [String] = {
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        let pairs = letters.flatMap { first in letters.map { first + $0 } } + letters.map { "Ġ" + $0 }
        let special = [
            "endoftext", "startoftranscript", "en", "de", "fr", "es", "translate", "transcribe", "startoflm",
            "startofprev", "nospeech", "notimestamps",
        ]
        let times = (0...100).map { String(format: "%.2f", Double($0) / 50) }
        return (0...255).map(byteLevel) + pairs + [""] + (special + times).map { "<|\($0)|>" }
    }()

    /// One layer on each side, 2 s of audio, 64 tokens of text.
    package static let shape = RandomModel.Shape(
        mels: 80, width: 64, heads: 1, encoderLayers: 1, decoderLayers: 1, vocabulary: vocabulary.count,
        audioContext: 100, textContext: 64)

    /// Calls `body` with a folder that contains the model, and removes it afterwards.
    package static func with<Result>(
        _ precision: StoredPrecision = .float32, change: (inout ModelBinary) throws -> Void = { _ in },
        _ body: (URL) throws -> Result
    ) throws -> Result {
        var binary = try ModelBinary(model, precision: precision)
        try change(&binary)
        return try withFolder { folder in
            try binary.serialized().bytes.write(to: folder.appendingPathComponent("model.bin"))
            try writeTexts(to: folder)
            return try body(folder)
        }
    }

    /// Calls `body` with an empty folder, and removes it afterwards.
    package static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) { try body(folder.url) }
    }

    package static func writeTexts(
        to folder: URL, vocabulary: [String] = vocabulary, config: [String: Any]? = nil
    ) throws {
        let end = vocabulary.firstIndex(of: "<|endoftext|>") ?? 0
        let config =
            config ?? ["suppress_ids_begin": [32, end], "suppress_ids": [1, 2], "layer_norm_epsilon": NSNull()]
        try writeJSON(vocabulary, to: folder, as: "vocabulary")
        try writeJSON(config, to: folder, as: "config")
    }

    /// The byte that a character of a byte-level string stands for.
    static func byte(of character: Unicode.Scalar) -> UInt8 { bytes[character] ?? 0 }

    private static let bytes = Dictionary(
        uniqueKeysWithValues: (0...255).compactMap { byte in
            byteLevel(byte).unicodeScalars.first.map { ($0, UInt8(byte)) }
        })

    /// GPT-2's character for a byte: itself if it is printable, otherwise the next unused one from 256 on.
    private static func byteLevel(_ byte: Int) -> String {
        func isVisible(_ byte: Int) -> Bool { (33...126) ~= byte || (161...172) ~= byte || (174...255) ~= byte }
        let scalar = isVisible(byte) ? byte : 256 + (0..<byte).filter { !isVisible($0) }.count
        return Unicode.Scalar(UInt32(scalar)).map(String.init) ?? ""
    }
}
