import StenoCore

/// A text to search for in an encoded window.
struct SearchRequest {
    /// What the decoder is told first.
    var prompt: WindowPrompt
    /// What may be written.
    var rules: LogitRules
    var method: SearchMethod
    /// The most tokens of the window's text, forced ones included.
    var maxTokens: Int
    var lengthPenalty: Double
}

/// How a text is chosen.
enum SearchMethod {
    case beam(size: Int, patience: Double)
    /// Temperature 0 with one sample is greedy search.
    case samples(Int, temperature: Double, seeds: (UInt64, UInt64))
}
