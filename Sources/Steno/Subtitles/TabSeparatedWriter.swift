import StenoCore

/// Writes a heading and one line a segment: start and end in whole milliseconds, and the text.
enum TabSeparatedWriter {
    static func write(_ transcript: Transcript) -> String {
        let lines = transcript.segments.map { segment in
            let text = segment.text.strippingWhitespace.replacing("\t", with: " ")
            return "\(Timestamp.milliseconds(segment.start))\t\(Timestamp.milliseconds(segment.end))\t\(text)\n"
        }
        return "start\tend\ttext\n" + lines.joined()
    }
}
