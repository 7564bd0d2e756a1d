package import Foundation
package import StenoCompute
import StenoCore

/// Converts a Whisper model of any supported format to a CTranslate2 folder, which Steno and faster-whisper load.
///
/// Only a few rows of the weights are in memory at a time. The folder appears once it is complete.
package enum WhisperConversion {
    /// Converts a model.
    ///
    /// - Parameters:
    ///   - source: A model's folder or file, in any format that ``WhisperModel`` loads.
    ///   - folder: The new folder.
    ///   - replacing: Whether to replace an existing converted model; a file, or a folder with anything else in it, is
    ///     never replaced.
    ///   - isCancelled: Called after every few rows; returning true cancels the conversion.
    /// - Throws: ``StenoError``: what loading the model throws; `invalidOption` if the folder holds the source;
    ///   `outputFailed` if it exists or cannot be written; `cancelled`.
    package static func convert(
        _ source: URL, to folder: URL, precision: ConversionPrecision, replacing: Bool = false,
        isCancelled: () -> Bool = { false }, onProgress: (ConversionProgress) -> Void = { _ in }
    ) throws {
        try ConvertedFolder.check(
            folder, source: source, replacing: replacing, weights: "model.bin", files: smallFiles)
        func checkCancellation() throws {
            guard !isCancelled() else { throw StenoError(.cancelled, "The conversion was cancelled.") }
        }
        let package = try ModelFormat.openWhisper(at: source)
        let shape = try ModelShape(package)
        let tokenizer = try WhisperModel.tokenizer(package, fits: shape, checkCancellation: checkCancellation)
        let writer = try CTranslate2Writer(whisper: package, shape: shape)
        let texts = ConvertedTexts(package, shape: shape, tokenizer: tokenizer)
        try AtomicFolder.make(folder, replacing: replacing) { temporary in
            try write(texts, from: source, to: temporary, checkCancellation)
            let file = try FileWriter(creating: temporary.appendingPathComponent("model.bin").path)
            try writer.write(to: file, precision: precision) {
                try checkCancellation()
                onProgress($0)
            }
            try file.finish()
            try checkCancellation()
        }
    }

    /// The other files of a converted model, from here or from CTranslate2's converter.
    private static let smallFiles: Set<String> = [
        "config.json", "vocabulary.json", "vocabulary.txt", "tokenizer.json", PreprocessorFile.name,
    ]

    /// Writes the small files; copies from the source the ones that CTranslate2's converter would copy.
    private static func write(
        _ texts: ConvertedTexts, from source: URL, to folder: URL, _ checkCancellation: () throws -> Void
    ) throws {
        try ConvertedFolder.write(texts.config, "config.json", in: folder)
        try checkCancellation()
        try ConvertedFolder.write(texts.vocabulary, "vocabulary.json", in: folder)
        if try !copy("tokenizer.json", from: source, to: folder) {
            let text = try texts.tokenizerJSON(checkCancellation: checkCancellation)
            try ConvertedFolder.write(text, "tokenizer.json", in: folder)
        }
        if try !copy(PreprocessorFile.name, from: source, to: folder) {
            try ConvertedFolder.write(texts.preprocessor, PreprocessorFile.name, in: folder)
        }
    }

    /// Copies a file of the source, if it has it; a file next to a GGML model belongs to another model.
    private static func copy(_ name: String, from source: URL, to folder: URL) throws -> Bool {
        guard let files = try ModelFormat.detect(at: source).folder else { return false }
        return try ConvertedFolder.copy(name, from: files, to: folder)
    }
}
