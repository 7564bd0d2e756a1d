import StenoCore

/// Writes one segment a line, without the space it begins with.
enum PlainTextWriter {
    static func write(_ transcript: Transcript) -> String {
        transcript.segments.map { $0.text.strippingWhitespace + "\n" }.joined()
    }
}
