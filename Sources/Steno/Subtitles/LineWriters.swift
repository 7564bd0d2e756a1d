import StenoCore

/// Writes RTTM (NIST, “Rich Transcription 2009 evaluation plan”, appendix A): a line for each turn of a speaker.
///
/// ```
/// SPEAKER recording 1 0.32 4.48 <NA> <NA> Speaker_1 <NA> <NA>
/// ```
/// Fields are separated by spaces, so spaces in names become underscores.
package enum RTTMWriter {
    /// Words of one speaker with a shorter pause between them, in seconds, are one turn.
    private static let pause = 0.6

    /// Writes the detected turns, or else the turns of the words.
    package static func write(_ transcript: Transcript, recording: String = "recording") -> String {
        let turns = transcript.speakerTurns ?? turns(of: transcript)
        return turns.map { turn in
            let times = "\(JSONText.time(turn.start)) \(JSONText.time(max(0, turn.end - turn.start)))"
            return "SPEAKER \(field(recording)) 1 \(times) <NA> <NA> \(field(turn.speaker)) <NA> <NA>\n"
        }.joined()
    }

    /// The turns of the words, or of segments without words.
    package static func turns(of transcript: Transcript) -> [SpeakerTurn] {
        var turns: [SpeakerTurn] = []
        for segment in transcript.segments {
            let words = segment.words ?? []
            let parts =
                words.isEmpty
                ? [(segment.start, segment.end, segment.speaker)]
                : words.map { ($0.start, $0.end, $0.speaker ?? segment.speaker) }
            for (start, end, speaker) in parts {
                guard let speaker else { continue }
                if let last = turns.last, last.speaker == speaker, start - last.end < pause {
                    turns[turns.count - 1].end = max(last.end, end)
                } else {
                    turns.append(SpeakerTurn(start: start, end: max(start, end), speaker: speaker))
                }
            }
        }
        return turns
    }

    private static func field(_ text: String) -> String {
        let name = text.collapsingWhitespace.replacing(" ", with: "_")
        return name.isEmpty ? "<NA>" : name
    }
}

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

/// Writes one segment per line, without leading space, after the name of the speaker if it is known.
enum PlainTextWriter {
    static func write(_ transcript: Transcript) -> String {
        transcript.segments.map { SpeakerPrefix.of($0.speaker) + $0.text.strippingWhitespace + "\n" }.joined()
    }
}
