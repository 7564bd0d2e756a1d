package import Foundation
import StenoCompute
package import StenoCore

/// A streaming Moonshine model: weights and vocabulary, loaded and packed for computation.
///
/// It is immutable after loading, so any number of streams can share it.
package final class StreamingMoonshineModel: Sendable {
    package let configuration: MoonshineConfiguration
    package let streaming: StreamingShape
    package let precision: Precision
    package let source: ModelSource
    package let tokenizer: MoonshineTokenizer
    /// The number of threads per transcription.
    package var threads: Int { pool.threads }
    package let parameterCount: Int

    let encoder: StreamingEncoder
    let adapter: AudioAdapter
    let decoder: MoonshineDecoder
    let pool: WorkerPool

    /// Loads a model as ``MoonshineModel/load(folder:precision:threads:isCancelled:)`` does.
    ///
    /// - Parameter windows: How the configuration's windows are counted.
    package static func load(
        folder: URL, precision: Precision = .automatic, threads: Int? = nil, windows: WindowReading = .asTrained,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> StreamingMoonshineModel {
        try StreamingMoonshineModel(
            MoonshineFiles(folder: folder), precision: precision, threads: threads, windows: windows,
            isCancelled: isCancelled)
    }

    init(
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
        (self.configuration, self.streaming) = (configuration, streaming)
    }

    /// The number of samples at 16 kHz between two encoder positions: 20 ms.
    package static let samplesPerPosition = StreamingFrontEnd.samplesPerPosition

    package func makeStream() throws -> MoonshineStream { try MoonshineStream(self) }
}
