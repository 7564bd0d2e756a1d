/// The kind of transcription.
public enum TranscriptionTask: String, Sendable, Codable, Hashable, CaseIterable {
    /// Text in the language spoken.
    case transcribe
    /// A translation into English.
    case translate
}
