/// What to do with speech.
public enum TranscriptionTask: String, Sendable, Codable, Hashable, CaseIterable {
    /// Write it in the language spoken.
    case transcribe
    /// Translate it into English.
    case translate
}
