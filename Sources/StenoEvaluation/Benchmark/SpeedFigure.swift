/// A measured figure; the raw value is its JSON key.
@_spi(Benchmarks) public enum SpeedFigure: String, Sendable, CaseIterable {
    /// Log-mel of 30 s of audio.
    case logMel = "log_mel_ms"
    /// The encoder over 30 s.
    case encode = "encode_ms"
    /// The cross-attention KV cache of a window.
    case crossAttentionCache = "cross_ms"
    /// The prefill of the prompt, and the first token.
    case prompt = "prefill_ms"
    /// One token of greedy search, sampling included.
    case greedyToken = "greedy_token_ms"
    /// One beam-5 step: five rows, one token each, selection included.
    case beamStep = "beam5_step_ms"
    /// The transcription of an audio file, from opening it to the text.
    case audio = "audio_ms"
    /// From the start of a process to the loaded model.
    case load = "load_ms"
    /// From the start of a process to the first token.
    case coldStart = "cold_start_ms"
    /// The peak memory of a process that loads the model and decodes one window.
    case peakMemory = "peak_rss_mb"

    /// The unit shown in the table.
    var unit: String { self == .peakMemory ? "MB" : "ms" }

    /// The name shown in the table.
    var label: String {
        switch self {
        case .logMel: "log-mel of 30 s"
        case .encode: "encoder, 30 s"
        case .crossAttentionCache: "cross-attention KV cache"
        case .prompt: "prefill and first token"
        case .greedyToken: "greedy, per token"
        case .beamStep: "beam 5, per step"
        case .audio: "audio file"
        case .load: "new process to loaded model"
        case .coldStart: "new process to first token"
        case .peakMemory: "peak memory, one window"
        }
    }
}
