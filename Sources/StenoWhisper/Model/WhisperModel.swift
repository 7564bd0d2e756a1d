package import Foundation
import StenoCompute
package import StenoCore

/// A Whisper model's weights and vocabulary, loaded and packed for computation.
///
/// It is immutable after loading, so any number of transcriptions can share it; each has its own state.
package final class WhisperModel: Sendable {
    package let shape: ModelShape
    package let precision: Precision
    package let source: ModelSource
    package let tokenizer: Tokenizer
    /// The number of threads per transcription.
    package var threads: Int { pool.threads }

    let encoder: AudioEncoder
    let decoder: TextDecoder
    let configuration: WhisperConfiguration
    let filterbank: MelFilterbank
    let pool: WorkerPool

    /// - Parameters:
    ///   - folder: A CTranslate2 folder, such as a `Systran/faster-whisper-*` model; a Hugging Face folder with
    ///     `model.safetensors`; or a `ggml-*.bin` of whisper.cpp, or the folder with a single one.
    ///   - threads: The number of threads per transcription; nil uses all of the machine's cores.
    ///   - isCancelled: Called before every tensor; returning true cancels the loading.
    /// - Throws: ``StenoError`` when a file is missing, damaged, or not a Whisper model's; `cancelled` when loading was
    ///   cancelled.
    package static func load(
        folder: URL, precision: Precision = .automatic, threads: Int? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> WhisperModel {
        try WhisperModel(
            ModelFormat.openWhisper(at: folder), precision: precision, threads: threads, isCancelled: isCancelled)
    }

    /// Loads a model from a package that uses OpenAI's tensor names.
    init(
        _ package: any WhisperFiles, precision: Precision, threads: Int?, isCancelled: @escaping () -> Bool = { false }
    ) throws {
        pool = try WorkerPool.checked(threads: threads)
        let loader = WeightLoader(package, precision: precision.resolved, isCancelled: isCancelled)
        let shape = try ModelShape(package)
        tokenizer = try package.tokenizer(fits: shape, checkCancellation: loader.checkCancellation)
        encoder = try AudioEncoder(loader, shape: shape)
        decoder = try TextDecoder(loader, shape: shape)
        filterbank = MelFilterbank(count: shape.melCount)
        source = package.source
        self.precision = precision.resolved
        self.shape = shape
        configuration = package.configuration
    }
}

extension WhisperModel {
    package var isMultilingual: Bool { tokenizer.specialTokens.isMultilingual }

    /// The codes of the languages the model knows; only `en` for an English-only model.
    package var languages: [String] { isMultilingual ? tokenizer.specialTokens.languages.map(\.code) : ["en"] }

    /// The detection of a language that was given, with the model's code.
    ///
    /// - Throws: ``StenoError`` with code `unknownLanguage`, with suggestions.
    func given(_ language: String) throws -> LanguageDetection {
        LanguageDetection(language: try tokenizer.languageCode(for: language), probability: 1)
    }
}
