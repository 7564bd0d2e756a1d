import Foundation
import Testing

@testable import Steno
@testable import StenoCore

/// Live text and subtitles on a pipe.
@Suite final class LiveTranscriptStreamTests {
    private var speaker = SpokenWords()

    /// What is written after each event, and the rest.
    private func pieces(_ format: LiveTranscriptStream.Format, _ events: [TranscriptionEvent]) -> [String] {
        var stream = LiveTranscriptStream(format)
        var pieces = events.map { stream.text(after: $0) }
        pieces.append(stream.end())
        return pieces
    }

    @Test func textIsWrittenOnceFinalWithALineForEachUtterance() {
        let events = [
            SpokenWords.audio, speaker.final("The ferry"), speaker.final("leaves."), speaker.end(),
            speaker.final("Bring"), .init(.partial(text: " a coat", segments: []), position: 4),
        ]
        #expect(pieces(.text, events) == ["", "The ferry", " leaves.", "\n", "Bring", "", "\n"])
    }

    @Test func aFullStopAtTheEndOfAnUtteranceJoinsItsLastWord() {
        let events = [SpokenWords.audio, speaker.final("The ferry leaves"), speaker.end("."), speaker.final("Bring")]
        #expect(pieces(.text, events) == ["", "The ferry leaves", ".\n", "Bring", "\n"])
        for format in [LiveTranscriptStream.Format.srt, .vtt] {
            #expect(pieces(format, events).joined().contains("\nThe ferry leaves."), "\(format)")
        }
    }

    /// A slow reader that has an utterance's words gets a snapshot in place of its end.
    @Test func aSnapshotBringsTheFullStop() {
        let first = speaker.final("One")
        let all = [first, speaker.end("."), speaker.final("Two")].transcript
        let events = [first, .init(.snapshot(all), position: speaker.time), speaker.end("?")]
        #expect(pieces(.text, events) == ["One", ".\nTwo", "?\n", ""])
        #expect(pieces(.srt, events).joined().contains("\nOne."))
    }

    @Test func aSnapshotContinuesWhereTheReaderWas() {
        let first = speaker.final("One.")
        let all = [first, speaker.end(), speaker.final("Two."), speaker.final("Three.")].transcript
        let events = [first, .init(.snapshot(all), position: speaker.time), speaker.final("Four.")]
        #expect(pieces(.text, events) == ["One.", "\nTwo. Three.", " Four.", "\n"])
        let lines: [Substring] = pieces(.srt, events).joined().split(separator: "\n")
        #expect(lines.filter { $0.contains(".") && !$0.contains("-->") } == ["One.", "Two. Three. Four."])
    }

    @Test func aSubtitleComesOnceNothingCanChangeIt() {
        let sentence = speaker.final("The ferry to the island leaves at dawn.")
        let end = speaker.end()
        let quiet = (1...30).map { tenth in
            TranscriptionEvent(.level(AudioLevel(rms: -60, peak: -60)), position: speaker.time + Double(tenth) / 10)
        }
        let written = pieces(.vtt, [SpokenWords.audio, sentence, end] + quiet)
        #expect(written[0] == "WEBVTT\n\n" && written[1] == "" && written.last == "")
        let cue = "00:00.000 --> 00:04.000\nThe ferry to the island leaves at dawn.\n\n"
        #expect(written.joined() == "WEBVTT\n\n" + cue)
        #expect((2..<12).contains(written.firstIndex(of: cue) ?? 0), "within a second of silence")
    }

    /// Somebody speaks again at once: the subtitle makes room for the next one.
    @Test func subtitlesNeverOverlap() {
        var events = [SpokenWords.audio]
        for _ in 0..<20 {
            events.append(.init(.speech(isSpeaking: true, time: speaker.time), position: speaker.time))
            events.append(speaker.final("Yes,"))
            events.append(speaker.final("we are."))
            events.append(.init(.speech(isSpeaking: false, time: speaker.time), position: speaker.time + 0.5))
            events.append(speaker.end())
            speaker.time -= 0.4
        }
        let times = pieces(.srt, events).joined().split(separator: "\n").filter { $0.contains("-->") }
        #expect(times.count >= 20)
        let starts = times.map { $0.prefix(12) }, ends = times.map { $0.suffix(12) }
        for (end, start) in zip(ends, starts.dropFirst()) { #expect(end < start) }
    }

    @Test func markupIsEscaped() {
        let text = pieces(.vtt, [speaker.final("R&D <laughs> --> on")]).joined()
        #expect(text.contains("R&amp;D &lt;laughs> -> on") && text.components(separatedBy: "-->").count == 2)
    }

    @Test func theNumbersOfSubtitlesContinue() {
        var events: [TranscriptionEvent] = []
        for _ in 0..<9 {
            events += [speaker.final("A whole sentence of some words, and one more part of it."), speaker.end()]
            speaker.time += 3
        }
        let lines = pieces(.srt, events).joined().split(separator: "\n")
        let numbers = lines.compactMap { Int($0) }
        #expect(numbers == Array(1...numbers.count) && numbers.count >= 9)
    }
}
