extension [String] {
    /// A vocabulary of the words that faster-whisper's `hotwords` and its like have in one text: that text as it is.
    package init(hotwords: String?) { self = hotwords.map { [$0] } ?? [] }

    /// The vocabulary as one text, for models and options that take it so; nil when it is empty.
    package var hotwords: String? { isEmpty ? nil : joined(separator: ", ") }
}
