/// The sizes of Whisper models; the raw value is Steno's name of the model.
public enum WhisperModelSize: String, Sendable, Hashable, Codable, CaseIterable {
    /// 39 million parameters.
    case tiny
    /// 39 million parameters, English only.
    case tinyEn = "tiny.en"
    /// 74 million parameters.
    case base
    /// 74 million parameters, English only.
    case baseEn = "base.en"
    /// 244 million parameters.
    case small
    /// 244 million parameters, English only.
    case smallEn = "small.en"
    /// 769 million parameters.
    case medium
    /// 769 million parameters, English only.
    case mediumEn = "medium.en"
    /// 1.5 billion parameters, of September 2022.
    case largeV1 = "large-v1"
    /// 1.5 billion parameters, of December 2022.
    case largeV2 = "large-v2"
    /// The same model as ``largeV2``: Steno computes every model in int8.
    case largeV2Int8 = "large-v2-int8"
    /// 1.5 billion parameters and 128 mel bands, of November 2023.
    case largeV3 = "large-v3"
    /// 0.8 billion parameters: ``largeV3`` with a decoder of four layers.
    case turbo

    /// The name by which Steno finds the model.
    var modelName: String { self == .largeV2Int8 ? WhisperModelSize.largeV2.rawValue : rawValue }
}
