package import Foundation
import StenoCompute
package import StenoCore

/// A FastConformer model's weights and vocabulary, loaded and packed for computation: Parakeet or Nemotron.
///
/// It is immutable after loading, so any number of transcriptions can share it; each has its own state.
package final class FastConformerModel: Sendable {
    package let configuration: FastConformerConfiguration
    package let tokenizer: FastConformerTokenizer
    package let source: ModelSource
    package let precision: Precision
    package let parameterCount: Int
    /// The number of threads per transcription.
    package var threads: Int { pool.threads }

    let features: FastConformerFeatures
    let encoder: FastConformerEncoder
    /// Nil for a model with a transducer.
    let ctc: CTCHead?
    let transducer: TransducerHead?
    let pool: WorkerPool

    /// Loads a model from a Hugging Face folder.
    ///
    /// - Parameters:
    ///   - threads: The number of threads per transcription; nil uses all of the machine's cores.
    ///   - isCancelled: Called before every tensor; returning true cancels the loading.
    /// - Throws: ``StenoError`` when a file is missing, damaged, or not a FastConformer model's; `cancelled` when loading
    ///   was cancelled.
    package static func load(
        folder: URL, precision: Precision = .automatic, threads: Int? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> FastConformerModel {
        try FastConformerModel(
            HuggingFaceFolder(folder: folder), precision: precision, threads: threads, isCancelled: isCancelled)
    }

    private init(
        _ weights: HuggingFaceFolder, precision: Precision, threads: Int?, isCancelled: @escaping () -> Bool
    ) throws {
        pool = try WorkerPool.checked(threads: threads)
        let configuration = weights.configuration
        try configuration.check()
        let loader = WeightLoader(weights, precision: precision.resolved, isCancelled: isCancelled)
        tokenizer = try weights.tokenizer()
        try ensure(
            tokenizer.pieces.count >= configuration.vocabularySize, or: .modelDamaged,
            "The vocabulary of \(tokenizer.pieces.count) tokens does not belong to \(weights.source.path), which has "
                + "\(configuration.vocabularySize). Download the model again.")
        features = try FastConformerFeatures(melCount: configuration.melCount)
        encoder = try FastConformerEncoder(loader, configuration)
        transducer = try configuration.transducer.map { try TransducerHead(loader, configuration, $0) }
        ctc = transducer == nil ? try CTCHead(loader, configuration) : nil
        parameterCount = loader.claimedValues
        source = weights.source
        self.precision = precision.resolved
        self.configuration = configuration
    }

    /// - Throws: `outOfMemory`.
    package func makeState() throws -> FastConformerState { try FastConformerState(self) }
}

extension FastConformerModel {
    /// The prompt of a language; 0 for a model without prompts.
    ///
    /// - Parameter language: A code such as `de-DE` or `de`; nil lets the model detect the language.
    /// - Throws: ``StenoError`` with code `unknownLanguage`.
    func prompt(for language: String?) throws -> Int {
        guard let prompts = configuration.prompts else { return 0 }
        guard let language else { return prompts.automatic }
        let wanted = language.lowercased()
        return try unwrap(
            prompts.ids.first { $0.key.lowercased() == wanted }, or: .unknownLanguage,
            "The model does not know the language \(language.prefix(40)). It knows: "
                + prompts.ids.keys.sorted().joined(separator: ", ") + "."
        ).value
    }
}
