package import Foundation
import StenoCompute
package import StenoCore

/// A Moonshine model of the first generation: weights and vocabulary, loaded and packed for computation.
///
/// It is immutable after loading, so any number of transcriptions can share it; each has its own state.
package final class MoonshineModel: Sendable {
    package let configuration: MoonshineConfiguration
    package let precision: Precision
    package let source: ModelSource
    package let tokenizer: MoonshineTokenizer
    /// The number of threads per transcription.
    package var threads: Int { pool.threads }
    package let parameterCount: Int

    let encoder: MoonshineEncoder
    let decoder: MoonshineDecoder
    let pool: WorkerPool

    /// Loads a model from a folder as transformers saves it.
    ///
    /// - Parameters:
    ///   - threads: The number of threads per transcription; nil uses all of the machine's cores.
    ///   - isCancelled: Called before every tensor; returning true cancels the loading.
    /// - Throws: ``StenoError`` when a file is missing, damaged, or not such a model's; `cancelled` when loading was
    ///   cancelled.
    package static func load(
        folder: URL, precision: Precision = .automatic, threads: Int? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> MoonshineModel {
        try MoonshineModel(
            MoonshineFiles(folder: folder), precision: precision, threads: threads, isCancelled: isCancelled)
    }

    init(
        _ files: MoonshineFiles, precision: Precision, threads: Int?, isCancelled: @escaping () -> Bool
    ) throws {
        pool = try WorkerPool.checked(threads: threads)
        let configuration = try files.configuration()
        guard configuration.streaming == nil else { throw files.otherGeneration }
        try files.checkLayers(encoder: configuration.layers, decoder: configuration.decoder.layers)
        let loader = WeightLoader(files, precision: precision.resolved, isCancelled: isCancelled)
        tokenizer = try MoonshineTokenizer(files, fits: configuration.decoder.vocabularySize, loader.checkCancellation)
        encoder = try MoonshineEncoder(loader, configuration)
        decoder = try MoonshineDecoder(loader, configuration.decoder)
        parameterCount = loader.claimedValues
        source = files.source
        self.precision = precision.resolved
        self.configuration = configuration
    }

    package func makeState() -> MoonshineState { MoonshineState(self) }
}

extension MoonshineModel {
    /// The number of samples at 16 kHz that give one encoder position: the shortest audio that can be encoded.
    package static let fewestSamples = AudioFrontEnd.fewestSamples

    /// The number of samples between two encoder positions: 24 ms.
    package static let samplesPerPosition = AudioFrontEnd.samplesPerPosition

    package static func positions(samples: Int) -> Int { AudioFrontEnd.Lengths(samples: samples).positions }
}

extension MoonshineTokenizer {
    /// Reads the tokenizer of a model, every token of which must be a row of its embedding.
    init(_ files: MoonshineFiles, fits count: Int, _ checkCancellation: () throws -> Void) throws {
        let file = try TokenizerFile(folder: files.folder, checkCancellation: checkCancellation)
        try ensure(
            file.vocabulary.count <= count, or: .modelDamaged,
            "The vocabulary does not belong to \(files.folder.path), which has \(count) tokens. Download the model "
                + "again.")
        self.init(file)
    }
}
