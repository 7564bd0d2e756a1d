package import Foundation
import StenoCompute
package import StenoCore

/// A streaming Moonshine model: weights and vocabulary, loaded and packed for computation.
///
/// It is immutable after loading, so any number of streams can share it.
package final class StreamingMoonshineModel: Sendable {
    /// The model's sizes.
    package let configuration: MoonshineConfiguration
    /// Those of a streaming model.
    package let streaming: StreamingShape
    /// The precision in which it computes.
    package let precision: Precision
    /// Where it was loaded from.
    package let source: ModelSource
    /// Its vocabulary.
    package let tokenizer: MoonshineTokenizer
    /// The number of threads per transcription.
    package var threads: Int { pool.threads }
    /// The number of weights.
    package let parameterCount: Int

    let encoder: StreamingEncoder
    let adapter: AudioAdapter
    let decoder: MoonshineDecoder
    let pool: WorkerPool

    /// Loads a model from a folder as transformers saves it.
    ///
    /// - Parameters:
    ///   - precision: The precision to compute in; ``Precision/automatic`` chooses int8.
    ///   - threads: The number of threads per transcription; nil uses all of the machine's cores.
    ///   - windows: How the configuration's windows are counted.
    ///   - isCancelled: Called before every tensor; returning true cancels the loading.
    /// - Throws: ``StenoError`` when a file is missing, damaged, or not such a model's; `cancelled` when loading was
    ///   cancelled.
    package static func load(
        folder: URL, precision: Precision = .automatic, threads: Int? = nil, windows: WindowReading = .asTrained,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> StreamingMoonshineModel {
        try StreamingMoonshineModel(
            MoonshineFiles(folder: folder), precision: precision, threads: threads, windows: windows,
            isCancelled: isCancelled)
    }

    private init(
        _ files: MoonshineFiles, precision: Precision, threads: Int?, windows: WindowReading,
        isCancelled: @escaping () -> Bool
    ) throws {
        pool = try WorkerPool.checked(threads: threads)
        let configuration = try files.configuration(windows: windows)
        guard let streaming = configuration.streaming else { throw files.otherGeneration }
        try files.checkLayers(encoder: configuration.layers, decoder: configuration.decoder.layers)
        let loader = WeightLoader(files, precision: precision.resolved, isCancelled: isCancelled)
        tokenizer = try MoonshineTokenizer(files, fits: configuration.decoder.vocabularySize, loader.checkCancellation)
        encoder = try StreamingEncoder(loader, configuration, streaming)
        adapter = try AudioAdapter(loader, configuration, streaming)
        decoder = try MoonshineDecoder(loader, configuration.decoder)
        parameterCount = loader.claimedValues
        source = files.source
        self.precision = precision.resolved
        self.configuration = configuration
        self.streaming = streaming
    }

    /// The number of samples at 16 kHz between two encoder positions: 20 ms.
    package static let samplesPerPosition = StreamingFrontEnd.samplesPerPosition

    /// The memory of one stream.
    package func makeStream() throws -> MoonshineStream { try MoonshineStream(self) }
}
