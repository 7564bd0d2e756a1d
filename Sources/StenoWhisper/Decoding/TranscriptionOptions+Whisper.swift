public import StenoCore

extension WhisperOptions: FamilyOptions {
    package static var family: String { "Whisper" }

    package var changes: [String] { Self.fields.changes(of: self, from: WhisperOptions()) }
}

extension TranscriptionOptions {
    /// The options of Whisper models; models of other families throw if any of them differs from its default.
    ///
    ///     options.whisper.beamSize = 1
    public var whisper: WhisperOptions {
        get { family as? WhisperOptions ?? WhisperOptions() }
        set {
            // Default values do not count as options of a family, so that every model accepts them.
            if newValue == WhisperOptions() { family = nil } else { family = newValue }
        }
    }
}
