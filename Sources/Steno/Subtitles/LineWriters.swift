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

    private static func field(_ text: String) -> String { text.strippingWhitespace.replacing("\t", with: " ") }
}

/// Writes one segment per line, without leading space, after the name of the speaker if it is known.
enum PlainTextWriter {
    static func write(_ transcript: Transcript) -> String {
        transcript.segments.map { SpeakerPrefix.of($0.speaker) + $0.text.strippingWhitespace + "\n" }.joined()
    }
}

/// Writes LRC, the format of song lyrics: a time before each line, and with ``WordHighlight/karaoke`` one before each
/// word too (the "enhanced" form of A2 Media Player).
///
/// Every line of a cue becomes a line of the file. The format has no end times: if silence follows a line, an empty
/// line removes it. Times are minutes (which may pass 99), seconds and hundredths.
struct LyricsWriter {
    /// The silence, in seconds, in which a line is removed.
    private static let silence = 2.0

    let options: SubtitleOptions

    func write(_ transcript: Transcript) -> String { write(transcript.cues(options), duration: transcript.duration) }

    /// Writes the cues of audio with a duration in seconds.
    func write(_ cues: [Cue], duration: Double) -> String {
        var lines = ["[re:Steno]", "[length:\(minutesAndSeconds(duration))]"]
        for (index, cue) in cues.enumerated() {
            for (number, words) in cue.lines.enumerated() {
                let start = number == 0 ? cue.start : words.first?.start ?? cue.start
                let speaker = number == 0 ? SpeakerPrefix.of(cue.speaker) : ""
                lines.append("[\(time(start))]" + speaker + text(words))
            }
            let next = index + 1 < cues.count ? cues[index + 1].start : .infinity
            if next - cue.end >= Self.silence { lines.append("[\(time(cue.end))]") }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func text(_ words: [CueWord]) -> String {
        guard options.highlight == .karaoke, let last = words.last else {
            return words.map(\.text).joined().collapsingWhitespace
        }
        let timed = words.map { word in
            let (space, text) = word.text.splitLeadingWhitespace
            return (space.isEmpty ? "" : " ") + "<\(time(word.start))>" + text.collapsingWhitespace
        }
        return timed.joined() + "<\(time(last.end))>"
    }

    private func time(_ seconds: Double) -> String {
        let hundredths = Int(exactly: (seconds * 100).rounded(.toNearestOrEven)).map { max(0, $0) } ?? 0
        return padded(hundredths / 6000) + ":" + padded(hundredths / 100 % 60) + "." + padded(hundredths % 100)
    }

    private func minutesAndSeconds(_ seconds: Double) -> String {
        let whole = Timestamp.milliseconds(seconds) / 1000
        return padded(whole / 60) + ":" + padded(whole % 60)
    }

    private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
