import StenoCore

/// A text to search for in an encoded window.
struct SearchRequest {
    var prompt: WindowPrompt
    var rules: LogitRules
    var method: SearchMethod
    /// The maximum number of tokens in the window's text, forced ones included.
    var maxTokens: Int
    var lengthPenalty: Double
    /// The tokens expected after the prompt, which greedy search verifies in one pass with it; they never change the
    /// result.
    var draft: [Int] = []
}

/// How a text is chosen.
enum SearchMethod {
    case beam(size: Int, patience: Double)
    /// Temperature 0 with one sample is greedy search.
    case samples(Int, temperature: Double, seeds: (UInt64, UInt64))
}
