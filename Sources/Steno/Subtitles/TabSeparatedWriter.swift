import StenoCore

/// Writes a heading and one line per segment: start and end in whole milliseconds, the text, and the speakers if they
/// are known.
enum TabSeparatedWriter {
    static func write(_ transcript: Transcript) -> String {
        let hasSpeakers = !transcript.speakers.isEmpty
        let lines = transcript.segments.map { segment in
            let text = field(segment.text)
            let speaker = hasSpeakers ? "\t" + field(segment.speaker ?? "") : ""
            return
                "\(Timestamp.milliseconds(segment.start))\t\(Timestamp.milliseconds(segment.end))\t\(text)\(speaker)\n"
        }
        return "start\tend\ttext" + (hasSpeakers ? "\tspeaker" : "") + "\n" + lines.joined()
    }

    private static func field(_ text: String) -> String {
        text.strippingWhitespace.replacing("\t", with: " ")
    }
}
