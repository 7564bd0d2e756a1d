import StenoCore

/// Writes one segment per line, without leading space, after the name of the speaker if it is known.
enum PlainTextWriter {
    static func write(_ transcript: Transcript) -> String {
        transcript.segments.map { SpeakerPrefix.of($0.speaker) + $0.text.strippingWhitespace + "\n" }.joined()
    }
}
