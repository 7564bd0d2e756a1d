import Foundation
import StenoCore
import Testing

@testable import Steno
@testable import StenoSpeech

struct TranscriptTranslationTests {
    private func segment(_ words: [(String, Double, Double)], isFinal: Bool) -> LiveSegment {
        LiveSegment(
            id: 0, start: words.first?.1 ?? 0, end: words.last?.2 ?? 0, text: words.map(\.0).joined(),
            isFinal: isFinal, words: words.map { Word(rawText: $0.0, start: $0.1, end: $0.2, probability: 0.5) })
    }

    private func final(_ words: (String, Double, Double)...) -> TranscriptionEvent {
        let segment = segment(words, isFinal: true)
        return .init(.final(text: segment.text, segments: [segment]), position: segment.end)
    }

    private func partial(_ words: (String, Double, Double)...) -> TranscriptionEvent {
        let segment = segment(words, isFinal: false)
        return .init(.partial(text: segment.text, segments: words.isEmpty ? [] : [segment]), position: segment.end)
    }

    private func results(
        _ events: [TranscriptionEvent], _ reporting: TranscriptTranslation.Reporting, origin: Double = 0
    ) -> [SpeechTranscriber.Result] {
        var translation = TranscriptTranslation(reporting, origin: AudioTime(seconds: origin))
        return events.flatMap { translation.results(of: $0) }.map(SpeechTranscriber.Result.init)
    }

    private var everything: TranscriptTranslation.Reporting {
        TranscriptTranslation.Reporting(volatileResults: true, alternatives: true, times: true, confidence: true)
    }

    @Test func partialTextIsVolatileAndFinalTextFinal() {
        let found = results(
            [
                partial((" One", 0.5, 0.9)), final((" One", 0.5, 1)), partial((" two", 1.1, 1.4)),
                final((" two", 1.1, 1.5)),
            ],
            everything, origin: 10)
        #expect(found.map(\.isFinal) == [false, true, false, true])
        #expect(found.map(\.text.plain) == ["One", "One", " two", " two"])
        #expect(found.map(\.range.start.seconds) == [10.5, 10.5, 11.1, 11.1])
        #expect(found.map(\.resultsFinalizationTime.seconds) == [10, 11, 11, 11.5])
        #expect(found.allSatisfy { $0.alternatives == [$0.text] })
        // Without volatile results only final ones are reported.
        let finals = results([partial((" One", 0.5, 0.9)), partial(), final((" One", 0.5, 1))], .init())
        #expect(finals.map(\.isFinal) == [true] && finals[0].alternatives.isEmpty)
        #expect(finals[0].text == AttributedString("One"))
    }

    @Test func partialTextThatVanishesIsWithdrawn() {
        let found = results([partial((" One", 0.5, 0.9)), partial(), partial()], everything)
        #expect(found.count == 2 && found[1].text.plain.isEmpty && found[1].range == found[0].range)
        #expect(!found[1].isFinal)
        // A volatile range is never final by accident.
        let volatile = results([final((" One", 0.5, 1)), partial((" two", 0.9, 0.9))], everything)
        #expect(volatile[0].isFinal && !volatile[1].isFinal && volatile[1].range.start == volatile[0].range.end)
    }

    @Test func wordsCarryTheirTimesAndProbabilities() throws {
        let text = try #require(
            results([final((" One", 0.5, 1), (" two", 1.2, 1.5), (" three", 1.5, 2))], everything, origin: 1).first
        ).text
        #expect(text.runs.map { $0.audioTimeRange?.start.seconds } == [1.5, 2.2, 2.5])
        #expect(text.runs.allSatisfy { $0.transcriptionConfidence == 0.5 })
        let range = CMTimeRange(start: CMTime(value: 21, timescale: 10), end: CMTime(value: 24, timescale: 10))
        let said = try #require(text.rangeOfAudioTimeRangeAttributes(intersecting: range))
        #expect(String(text[said].characters) == " two")
        let later = CMTimeRange(start: CMTime(value: 4, timescale: 1), duration: CMTime(value: 1, timescale: 1))
        #expect(text.rangeOfAudioTimeRangeAttributes(intersecting: later) == nil)
        let two = CMTimeRange(start: CMTime(value: 24, timescale: 10), duration: CMTime(value: 1, timescale: 1))
        let both = try #require(text.rangeOfAudioTimeRangeAttributes(intersecting: two))
        #expect(String(text[both].characters) == " two three")
    }

    @Test func punctuationIsRemovedIfNotWanted() {
        let found = results(
            [final((" “Don’t", 0, 1), (" stop,”", 1, 2), (" 3.5", 2, 3), (" —", 3, 4), (" said.", 4, 5))],
            .init(punctuation: false))
        #expect(found.first?.text.plain == "Don’t stop 3.5 said")
    }

    @Test(arguments: [true, false]) func theMarkOfAnUtteranceIsAFinalResultWithoutDuration(punctuation: Bool) {
        var reporting = everything
        reporting.punctuation = punctuation
        let end = TranscriptionEvent(.utteranceEnd(0, mark: "."), position: 3)
        let found = results([final((" One", 0.5, 1)), end, final((" two", 1.1, 1.5))], reporting)
        #expect(found.map(\.text.plain) == (punctuation ? ["One", ".", " two"] : ["One", " two"]))
        #expect(found.allSatisfy { $0.isFinal })
        #expect(found.allSatisfy { $0.text.plain != "." || $0.range.start == $0.range.end })
    }

    /// A symbol has no letters, so it waits for the end of the utterance as punctuation does.
    @Test(arguments: [(" €.", " €"), ("%", "%"), (" …", "")])
    func symbolsStayWithoutPunctuation(mark: String, spelling: String) {
        let end = TranscriptionEvent(.utteranceEnd(0, mark: mark), position: 3)
        let found = results([final((" 50", 0.5, 1)), end], .init(punctuation: false))
        #expect(found.map(\.text.plain) == (spelling.isEmpty ? ["50"] : ["50", spelling]))
    }

    @Test func silenceIsFinalAlmostToItsEndAndSpeechOnlyToItsLastWord() {
        var translation = TranscriptTranslation(everything, origin: .zero)
        func time(after event: TranscriptionEvent) -> Double {
            _ = translation.results(of: event)
            return translation.finalTime
        }
        let level = AudioLevel(rms: -60, peak: -60)
        #expect(time(after: .init(.level(level), position: 5)) == 4.5)
        #expect(time(after: .init(.speech(isSpeaking: true, time: 5.2), position: 5.3)) == 4.5)
        #expect(time(after: final((" One", 5.2, 6))) == 6)
        #expect(time(after: .init(.level(level), position: 8)) == 6)
        #expect(time(after: .init(.speech(isSpeaking: false, time: 8), position: 8.6)) == 6)
        #expect(time(after: .init(.utteranceEnd(0), position: 9)) == 8.5)
    }
}
