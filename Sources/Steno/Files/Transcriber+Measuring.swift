import Foundation
@_spi(Benchmarks) public import StenoWhisper

extension Transcriber {
    /// The model as Whisper's, for measurements; nil when it is of another family.
    @_spi(Benchmarks) public var measuredModel: MeasuredModel? { (model as? WhisperModel).map(MeasuredModel.init) }
}
