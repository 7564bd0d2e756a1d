import Foundation
@_spi(Benchmarks) public import StenoWhisper

extension Transcriber {
    /// The model as Whisper's, for measurements; nil when it is of another family.
    @_spi(Benchmarks) public var measuredModel: MeasuredModel? { (model as? WhisperModel).map(MeasuredModel.init) }
}

extension Transcriber {
    /// The seconds of decoding for a second of a recording, measured once with a full window; takes about a second.
    ///
    /// - Throws: `StenoError.modelUnsupported` for models that cannot be measured; `CancellationError`.
    package func measureRealTimeFactor() async throws -> Double {
        try await call("steno.measure") { [model] _ in try ModelFamily.realTimeFactor(model) }
    }
}
