package import Foundation
package import StenoCore

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
        try check(folder, source: source, replacing: replacing)
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

    /// Checks the destination before any work.
    private static func check(_ folder: URL, source: URL, replacing: Bool) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else { return }
        let real = (folder: folder.resolvingSymlinksInPath().path, source: source.resolvingSymlinksInPath().path)
        let files = isFolder.boolValue ? try? FileManager.default.contentsOfDirectory(atPath: folder.path) : nil
        guard real.source != real.folder, !real.source.hasPrefix(real.folder + "/") else {
            throw StenoError(
                .invalidOption,
                "\(folder.path) holds the model to convert and would be overwritten. Choose another folder.")
        }
        // A folder with a user's files may also contain a model.
        guard let files, files.contains("model.bin"), Set(files).isSubset(of: replaceable) else {
            throw StenoError(
                .outputFailed,
                "\(folder.path) exists already and is not a converted model, or has other files in it, so Steno does "
                    + "not replace it. Choose another folder.")
        }
        guard replacing else {
            throw StenoError(
                .outputFailed,
                "\(folder.path) exists already. Choose another folder, or replace the model with --force.")
        }
    }

    /// The files of a converted model, from here or from CTranslate2's converter, and those that macOS adds to any
    /// folder.
    private static let replaceable: Set<String> = [
        "model.bin", "config.json", "vocabulary.json", "vocabulary.txt", "tokenizer.json", PreprocessorFile.name,
        ".DS_Store",
    ]

    /// Writes the small files; copies from the source the ones that CTranslate2's converter would copy.
    private static func write(
        _ texts: ConvertedTexts, from source: URL, to folder: URL, _ checkCancellation: () throws -> Void
    ) throws {
        try write(texts.config, "config.json", in: folder)
        try checkCancellation()
        try write(texts.vocabulary, "vocabulary.json", in: folder)
        if try !copy("tokenizer.json", from: source, to: folder) {
            try write(texts.tokenizerJSON(checkCancellation: checkCancellation), "tokenizer.json", in: folder)
        }
        if try !copy(PreprocessorFile.name, from: source, to: folder) {
            try write(texts.preprocessor, PreprocessorFile.name, in: folder)
        }
    }

    private static func write(_ text: String, _ name: String, in folder: URL) throws {
        let file = try FileWriter(creating: folder.appendingPathComponent(name).path)
        try file.write(Array(text.utf8))
        try file.finish()
    }

    /// Copies a file of the source, if it has it; a file next to a GGML model belongs to another model.
    private static func copy(_ name: String, from source: URL, to folder: URL) throws -> Bool {
        guard let file = try ModelFormat.detect(at: source).folder?.appendingPathComponent(name),
            FileManager.default.fileExists(atPath: file.path)
        else { return false }
        let copy = try FileWriter(creating: folder.appendingPathComponent(name).path)
        try copy.write(MappedFile(path: file.path).contents)
        try copy.finish()
        return true
    }
}
