import StenoCore

// The JSON fields common to transcript files and live events.

extension GuardAction {
    /// The action's names and values.
    package var jsonFields: [(String, String)] {
        [
            ("kind", JSONText.string(kind.rawValue)),
            ("start", JSONText.time(start)),
            ("end", JSONText.time(end)),
            ("text", JSONText.string(text)),
            ("reason", JSONText.string(reason)),
        ]
    }
}

extension JSONText {
    /// A list of words with their times.
    package static func words(_ words: [Word]) -> String {
        let objects = words.map {
            object(
                [
                    ("word", string($0.rawText)),
                    ("start", time($0.start)),
                    ("end", time($0.end)),
                    ("probability", number($0.probability)),
                ] + ($0.speaker.map { [("speaker", string($0))] } ?? []))
        }
        return "[" + objects.joined(separator: ", ") + "]"
    }
}
