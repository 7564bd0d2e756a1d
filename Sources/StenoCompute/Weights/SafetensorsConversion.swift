package import Foundation
import StenoCore

/// Converts the weights of a Hugging Face folder, whose other files are copied.
///
/// In int8 the new folder is for Steno only: its matrices have the form of ``SafetensorsWriter``. In the other precisions
/// transformers loads it too. Only a few rows of the weights are in memory at a time, and the folder appears once it is
/// complete.
package enum SafetensorsConversion {
    /// What a tensor is for, which decides how it is stored.
    package enum Role: Sendable {
        /// A factor of products, which can be in int8.
        case matrix
        /// A convolution: rounding errors at the beginning of a network affect everything that follows, so int8 leaves
        /// it in half precision.
        case convolution
        /// Norms and biases, small and sensitive.
        case other

        /// The format of a tensor in this role, which has another one in the source.
        func format(_ precision: ConversionPrecision, stored: StorageFormat?) -> StorageFormat {
            let format = precision.format(stored: stored, isMatrix: self == .matrix)
            return precision == .int8 && self == .convolution && format == .float32 ? .float16 : format
        }
    }

    /// - Parameters:
    ///   - replacing: Whether to replace an existing converted model.
    ///   - texts: Files, by name, that are written with this content instead of being copied.
    ///   - role: What a tensor of this name and shape is for.
    ///   - isCancelled: Called after every few rows; returning true cancels the conversion.
    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, `modelUnsupported`; `invalidOption` if the folder holds
    ///   the source; `outputFailed` if it exists or cannot be written; `cancelled`.
    package static func convert(
        _ source: URL, to folder: URL, precision: ConversionPrecision, replacing: Bool = false,
        texts: [String: String] = [:],
        role: (_ name: String, _ shape: [Int]) -> Role, isCancelled: () -> Bool = { false },
        onProgress: (ConversionProgress) -> Void = { _ in }
    ) throws {
        try ConvertedFolder.check(
            folder, source: source, replacing: replacing, weights: ModelFormat.huggingFaceWeights[0],
            files: Set(required + optional))
        let files = try unwrap(
            ModelFormat.detect(at: source).folder, or: .modelUnsupported,
            "\(source.path) is not a Hugging Face folder. Give a folder with model.safetensors.")
        let writer = try writer(SafetensorsFolder(folder: files), precision, role)
        try AtomicFolder.make(folder, replacing: replacing) { temporary in
            for (name, text) in texts { try ConvertedFolder.write(text, name, in: temporary) }
            try copy(from: files, to: temporary, except: Set(texts.keys))
            let path = temporary.appendingPathComponent(ModelFormat.huggingFaceWeights[0]).path
            let file = try FileWriter(creating: path)
            try writer.write(to: file) {
                try ensure(!isCancelled(), or: .cancelled, "The conversion was cancelled.")
                onProgress($0)
            }
            try file.finish()
        }
    }

    private static func writer(
        _ weights: SafetensorsFolder, _ precision: ConversionPrecision, _ role: (String, [Int]) -> Role
    ) throws -> SafetensorsWriter {
        var writer = SafetensorsWriter(tensors: [:])
        for name in weights.names {
            guard let tensor = try weights.tensor(name) else { continue }
            writer.tensors[name] = (
                StackedTensor(shape: tensor.shape, parts: [.tensor(tensor)]),
                role(name, tensor.shape).format(precision, stored: tensor.format)
            )
        }
        return writer
    }

    private static let required = ["config.json", "tokenizer.json"]
    /// transformers reads these.
    private static let optional = [
        "generation_config.json", "preprocessor_config.json", "processor_config.json", "special_tokens_map.json",
        "tokenizer_config.json",
    ]

    private static func copy(from source: URL, to folder: URL, except written: Set<String>) throws {
        for name in required where !written.contains(name) {
            try ensure(
                ConvertedFolder.copy(name, from: source, to: folder), or: .modelNotFound,
                "\(source.path) has no \(name). Copy it from where the model came from.")
        }
        for name in optional where !written.contains(name) {
            _ = try ConvertedFolder.copy(name, from: source, to: folder)
        }
    }
}

/// The precision in which a converted model stores its matrices.
package enum ConversionPrecision: String, Sendable, CaseIterable {
    /// Matrices in int8 with a scale for each row; everything else as in the source.
    case int8
    case float16, bfloat16, float32

    /// The format of a tensor, which may be stored in another one now.
    func format(stored: StorageFormat?, isMatrix: Bool) -> StorageFormat {
        switch self {
        case .float16: return .float16
        case .bfloat16: return .bfloat16
        case .float32: return .float32
        case .int8:
            guard !isMatrix else { return .int8 }
            guard let stored, stored == .float16 || stored == .bfloat16 else { return .float32 }
            return stored
        }
    }
}

package struct ConversionProgress: Sendable, Hashable {
    package var tensors: Int
    package var tensorCount: Int
    package var bytes: Int
    package var byteCount: Int
}
