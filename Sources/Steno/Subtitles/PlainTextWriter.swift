import StenoCore

/// Writes one segment a line, without the space it begins with; where it is known who speaks, after the name.
enum PlainTextWriter {
    static func write(_ transcript: Transcript) -> String {
        transcript.segments.map { SpeakerPrefix.of($0.speaker) + $0.text.strippingWhitespace + "\n" }.joined()
    }
}
