/// What is measured, under the names that programs read.
@_spi(Benchmarks) public enum SpeedFigure: String, Sendable, CaseIterable {
    /// Log-mel of 30 s of audio.
    case logMel = "log_mel_ms"
    /// The encoder over 30 s.
    case encode = "encode_ms"
    /// The decoder's keys and values of the encoded window.
    case crossAttentionCache = "cross_ms"
    /// The prompt every window has, and the first token.
    case prompt = "prefill_ms"
    /// One token of greedy search, the choice included.
    case greedyToken = "greedy_token_ms"
    /// One step of a search with five beams: five rows, one token each, the choice included.
    case beamStep = "beam5_step_ms"
    /// An audio file from its opening to its text.
    case audio = "audio_ms"
    /// From a process' start to its loaded model.
    case load = "load_ms"
    /// From a process' start to its first token.
    case coldStart = "cold_start_ms"
    /// The peak memory of a process that loads the model and decodes one window.
    case peakMemory = "peak_rss_mb"

    /// The unit, for people.
    var unit: String { self == .peakMemory ? "MB" : "ms" }

    /// The figure's name, for people.
    var label: String {
        switch self {
        case .logMel: "log-mel of 30 s"
        case .encode: "encoder, 30 s"
        case .crossAttentionCache: "decoder's keys and values of it"
        case .prompt: "prompt, first token"
        case .greedyToken: "a token, greedy"
        case .beamStep: "a step, beam 5"
        case .audio: "a file"
        case .load: "new process to loaded model"
        case .coldStart: "new process to first token"
        case .peakMemory: "peak memory, one window"
        }
    }
}
