package import Foundation

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

    package static func writeTexts(to folder: URL, vocabulary: [String] = vocabulary, config: [String: Any]? = nil)
        throws
    {
        let end = vocabulary.firstIndex(of: "<|endoftext|>") ?? 0
        let config =
            config ?? ["suppress_ids_begin": [32, end], "suppress_ids": [1, 2], "layer_norm_epsilon": NSNull()]
        for (name, content) in [("vocabulary", vocabulary as Any), ("config", config)] {
            let data = try JSONSerialization.data(withJSONObject: content)
            try data.write(to: folder.appendingPathComponent(name + ".json"))
        }
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
