import StenoCore

/// Writes LRC, the format of song lyrics: a time before each line, and with ``WordHighlight/karaoke`` one before each
/// word too (the "enhanced" form of A2 Media Player).
///
/// Every line of a cue becomes a line of the file. The format has no end times: if silence follows a line, an empty
/// line removes it. Times are minutes (which may pass 99), seconds and hundredths.
struct LyricsWriter {
    /// The silence, in seconds, in which a line is removed.
    private static let silence = 2.0

    let options: SubtitleOptions

    func write(_ transcript: Transcript) -> String {
        write(transcript.cues(options), duration: transcript.duration)
    }

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
