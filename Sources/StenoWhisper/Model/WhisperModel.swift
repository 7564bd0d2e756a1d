public import Foundation
public import StenoCore

/// A Whisper model's weights and vocabulary, ready to compute with.
///
/// It never changes after loading, so any number of transcriptions may share one; what they write is in states of
/// their own.
public final class WhisperModel: Sendable {
    /// The model's sizes.
    public let shape: ModelShape
    /// The numbers it computes with.
    public let precision: Precision
    /// Where it came from.
    public let source: ModelSource
    /// Its vocabulary.
    public let tokenizer: Tokenizer
    /// How many threads work on one transcription.
    public var threads: Int { pool.threads }

    let encoder: AudioEncoder
    let decoder: TextDecoder
    let configuration: ModelConfiguration
    let filterbank: MelFilterbank
    let pool: WorkerPool

    /// Loads a model folder in CTranslate2 format, as the `Systran/faster-whisper-*` models have it.
    ///
    /// - Parameters:
    ///   - folder: The folder with `model.bin`, `config.json` and `vocabulary.json` (or `.txt`).
    ///   - precision: The numbers to compute with; ``Precision/automatic`` takes int8.
    ///   - threads: How many threads work on one transcription; nil takes the machine's cores.
    ///   - isCancelled: Asked before every tensor; true ends the loading.
    /// - Throws: ``StenoError`` when a file is missing, damaged, or not a Whisper model's; `cancelled` when the loading
    ///   was cancelled.
    public static func load(
        folder: URL, precision: Precision = .automatic, threads: Int? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> WhisperModel {
        try WhisperModel(folder: folder, precision: precision, threads: threads, isCancelled: isCancelled)
    }

    private init(folder: URL, precision: Precision, threads: Int?, isCancelled: @escaping () -> Bool) throws {
        guard (1...1024).contains(threads ?? 1) else {
            throw StenoError(.invalidOption, "The number of threads must be from 1 to 1024.")
        }
        let path = try Self.weightPath(in: folder)
        let weights = try CTranslate2Weights(path: path)
        let configuration = try ModelConfiguration(folder: folder)
        let shape = try ModelShape(weights, heads: weights.headCounts)
        tokenizer = try Tokenizer(vocabulary: Vocabulary.load(folder: folder))
        try Self.check(tokenizer, fits: shape, configuration, in: folder)
        let loader = WeightLoader(
            weights: weights, precision: precision.resolved, normEpsilon: configuration.normEpsilon,
            isCancelled: isCancelled)
        encoder = try AudioEncoder(loader, shape: shape)
        decoder = try TextDecoder(loader, shape: shape)
        filterbank = MelFilterbank(count: shape.melCount)
        pool = WorkerPool.with(threads: threads)
        source = weights.source
        self.precision = precision.resolved
        self.shape = shape
        self.configuration = configuration
    }

    private static func weightPath(in folder: URL) throws -> String {
        var isFolder: ObjCBool = false
        let path = folder.path
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw StenoError(.modelNotFound, "There is no model folder at \(path).")
        }
        guard isFolder.boolValue else {
            throw StenoError(.modelNotFound, "\(path) is a file; give the model's folder, which holds model.bin.")
        }
        let file = folder.appendingPathComponent("model.bin").path
        guard FileManager.default.fileExists(atPath: file) else {
            throw StenoError(
                .modelNotFound,
                "\(path) has no model.bin. A model folder holds model.bin, config.json and vocabulary.json, as the Systran/faster-whisper models do."
            )
        }
        return file
    }

    /// Every id the decoder may be asked about must be a row of the embedding.
    private static func check(
        _ tokenizer: Tokenizer, fits shape: ModelShape, _ configuration: ModelConfiguration, in folder: URL
    ) throws {
        let special = tokenizer.specialTokens
        let largest = max(special.timestampBegin, special.languages.map(\.id).max() ?? 0)
        let named = configuration.suppressedTokens + configuration.suppressedAtBegin
        guard max(largest + 1, tokenizer.vocabulary.count) <= shape.vocabularySize,
            named.allSatisfy({ (0..<shape.vocabularySize).contains($0) })
        else {
            throw StenoError(
                .modelDamaged,
                "The vocabulary in \(folder.path) does not belong to its model.bin, which has \(shape.vocabularySize) tokens."
            )
        }
        guard !special.isMultilingual || !special.languages.isEmpty else {
            throw StenoError(.modelUnsupported, "The vocabulary in \(folder.path) names no language.")
        }
    }
}

extension WhisperModel {
    /// Whether the model knows other languages than English.
    public var isMultilingual: Bool { tokenizer.specialTokens.isMultilingual }

    /// The codes of the languages the model knows; `en` alone for an English-only model.
    public var languages: [String] {
        isMultilingual ? tokenizer.specialTokens.languages.map(\.code) : ["en"]
    }
}
