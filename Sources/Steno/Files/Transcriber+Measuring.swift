import Foundation
import StenoCore
@_spi(Benchmarks) public import StenoWhisper

extension Transcriber {
    /// The Whisper model, for measurements; nil if the model belongs to another family.
    @_spi(Benchmarks) public var measuredModel: MeasuredModel? { (model as? WhisperModel).map(MeasuredModel.init) }

    /// The seconds of decoding per second of audio, measured once; takes about a second with Whisper base.
    ///
    /// - Throws: `StenoError`; `CancellationError`.
    package func measureRealTimeFactor() async throws -> Double {
        try await call("steno.measure") { [model] flag in
            try model.measureRealTimeFactor { flag.isCancelled }
        }
    }
}
