extension [String] {
    /// Creates a vocabulary from text such as faster-whisper's `hotwords`; the whole text becomes one entry.
    package init(hotwords: String?) { self = hotwords.map { [$0] } ?? [] }

    /// The vocabulary as one text, for models and options that expect one; nil if it is empty.
    package var hotwords: String? { isEmpty ? nil : joined(separator: ", ") }
}
