package import Foundation
package import StenoCompute
import StenoCore

/// Converts the weights of a Moonshine model to another precision: a Hugging Face folder becomes another one.
package enum MoonshineConversion {
    /// - Parameters:
    ///   - source: The model's folder, or the `model.safetensors` in it.
    ///   - replacing: Whether to replace an existing converted model.
    ///   - isCancelled: Called after every few rows; returning true cancels the conversion.
    /// - Throws: As ``SafetensorsConversion/convert(_:to:precision:replacing:texts:role:isCancelled:onProgress:)`` does.
    package static func convert(
        _ source: URL, to folder: URL, precision: ConversionPrecision, replacing: Bool = false,
        isCancelled: () -> Bool = { false }, onProgress: (ConversionProgress) -> Void = { _ in }
    ) throws {
        let files = try MoonshineFiles(folder: ModelFormat.detect(at: source).folder ?? source)
        // Without a readable vocabulary, the new folder could not be loaded.
        _ = try files.vocabulary(checkCancellation: {
            try ensure(!isCancelled(), or: .cancelled, "The conversion was cancelled.")
        })
        try SafetensorsConversion.convert(
            source, to: folder, precision: precision, replacing: replacing, texts: texts(files.folder),
            role: role(of:shape:), isCancelled: isCancelled, onProgress: onProgress)
    }

    /// The configuration, with the language if only the folder's name or card gives it: neither is copied.
    private static func texts(_ folder: URL) throws -> [String: String] {
        let language = try CheckpointLanguage(folder: folder).code
        let data = try Data(contentsOf: folder.appendingPathComponent("config.json"))
        guard language != "en", var config = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            return [:]
        }
        config["language"] = language
        let text = try JSONSerialization.data(
            withJSONObject: config, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return ["config.json": String(decoding: text, as: UTF8.self) + "\n"]
    }

    /// What a tensor is for.
    ///
    /// The first convolution, whose input is one channel, is small and hears samples; the table of positions is added
    /// to what the decoder hears.
    static func role(of name: String, shape: [Int]) -> SafetensorsConversion.Role {
        switch shape.count {
        case 2: name.hasSuffix("pos_emb.weight") ? .other : .matrix
        case 3: shape[1] == 1 ? .other : .convolution
        default: .other
        }
    }
}
