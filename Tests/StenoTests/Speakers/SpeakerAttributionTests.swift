import StenoCore
import StenoSpeakers
import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import Steno

private func turns(_ all: (start: Double, end: Double, speaker: String)...) -> [SpeakerTurn] {
    all.map { SpeakerTurn(start: $0.start, end: $0.end, speaker: $0.speaker) }
}

/// Speakers of words, and segments split where they change.
struct SpeakerAttributionTests {
    private func words(_ text: String, from start: Double, each: Double = 0.4, gap: Double = 0) -> [Word] {
        paced(text, from: start, each: each, gap: gap)
    }

    private func transcript(_ segments: [[Word]]) -> Transcript {
        Transcript(
            language: "en", duration: 60,
            segments: segments.enumerated().map { index, words in
                Segment(
                    id: index, start: words.first?.start ?? 0, end: words.last?.end ?? 0,
                    text: words.map(\.rawText).joined(), words: words)
            })
    }

    private let conversation = turns((0, 2, "Speaker 1"), (2, 6, "Speaker 2"), (8, 9, "Speaker 1"))

    @Test func everyWordHasTheSpeakerOfItsTurn() {
        let labelled = transcript([words("a b c d e f g h", from: 0)]).labelled(by: conversation)
        #expect(
            labelled.words.map(\.speaker) == Array(repeating: "Speaker 1", count: 5)
                + Array(repeating: "Speaker 2", count: 3))
        #expect(labelled.segments.map(\.text) == [" a b c d e", " f g h"])
        #expect(labelled.segments.map(\.speaker) == ["Speaker 1", "Speaker 2"])
        #expect(labelled.segments.map(\.id) == [0, 1])
        #expect(labelled.segments.map(\.start) == [0, 2] && labelled.segments.map(\.end) == [2, 3.2])
        #expect(labelled.speakers == ["Speaker 1", "Speaker 2"])
        #expect(labelled.text == "a b c d e f g h")
    }

    @Test func aWordInSilenceHasTheNearestSpeaker() {
        let labelled = transcript([words("near", from: 6.2), words("far", from: 7.5), words("late", from: 30)])
            .labelled(by: conversation)
        #expect(labelled.words.map(\.speaker) == ["Speaker 2", "Speaker 1", "Speaker 1"])
    }

    @Test func aChangeMovesToTheEndOfASentence() {
        // The turn ends at 2.0 s, in the middle of “no”; the sentence at 1.6 s.
        let labelled = transcript([words("is it true? no it is not", from: 0.4)]).labelled(by: conversation)
        #expect(labelled.segments.map(\.text) == [" is it true?", " no it is not"])
    }

    @Test func aChangeMovesIntoAPause() {
        let spoken = words("a b c", from: 0.2) + words("d e f", from: 2.3)
        let early = turns((0, 2.8, "A"), (2.8, 6, "B"))
        #expect(transcript([spoken]).labelled(by: early).segments.map(\.text) == [" a b c", " d e f"])
    }

    @Test func aBriefTurnBelongsToItsNeighbours() {
        let blip = turns((0, 1.6, "A"), (1.6, 1.9, "B"), (1.9, 6, "A"))
        let labelled = transcript([words("a b c d e f", from: 0, each: 0.3, gap: 0.1)]).labelled(by: blip)
        #expect(labelled.speakers == ["A"] && labelled.segments.count == 1)
    }

    @Test func segmentsWithoutWordsHaveTheirMainSpeakerAndWithoutTurnsNothingChanges() {
        let plain = Transcript(
            language: "en", duration: 60,
            segments: [
                Segment(id: 0, start: 0.5, end: 3, text: " a"), Segment(id: 1, start: 1, end: 5, text: " b"),
                Segment(id: 2, start: 8, end: 10, text: " c"),
            ])
        #expect(plain.labelled(by: conversation).segments.map(\.speaker) == ["Speaker 1", "Speaker 2", "Speaker 1"])
        let spoken = transcript([words("a b", from: 0)])
        #expect(spoken.labelled(by: []) == spoken)
    }

    @Test func overlappingSpeakersLoseNoWord() {
        let overlapping = turns((0, 10, "A"), (1, 2, "B"), (12, 13, "B"))
        let spoken = transcript((0..<20).map { words("x y z", from: Double($0)) })
        let labelled = spoken.labelled(by: overlapping)
        #expect(labelled.words.map(\.rawText) == spoken.words.map(\.rawText))
        #expect(labelled.words.allSatisfy { $0.speaker != nil })
        #expect(labelled.words.first { $0.start == 8 }?.speaker == "A")
        #expect(labelled.words.first { $0.start == 12 }?.speaker == "B")
    }

    private func speakers(_ words: [Word], _ turns: [SpeakerTurn]) -> [String?] {
        transcript([words]).labelled(by: turns, isExact: true).words.map(\.speaker)
    }

    @Test func aShortYesBelongsToWhoSaidIt() {
        let pause = turns((0, 1.2, "A"), (1.25, 1.5, "B"), (1.6, 3, "A"))
        let answer = words("yes", from: 1.25, each: 0.25)
        let spoken = words("shall we go", from: 0) + answer + words("then come", from: 1.6)
        #expect(speakers(spoken, pause) == ["A", "A", "A", "B", "A", "A"])
    }

    @Test func aShortYesIsHeardWhileAnotherSpeaks() {
        let within = turns((0, 6, "A"), (1.95, 2.45, "B"))
        let spoken = words("so i think that yes we should go", from: 0.4)
        #expect(speakers(spoken, within) == ["A", "A", "A", "A", "B", "A", "A", "A"])
    }

    @Test func whoeverTakesOverHasTheLaterHalf() {
        let interruption = turns((0, 3.6, "A"), (2, 6, "B"))
        let spoken = words("a b c d e f g h i j k", from: 0)
        // Both speak during “f g h i”.
        #expect(speakers(spoken, interruption).map { $0 ?? "-" }.joined() == "AAAAAAABBBB")
    }

    @Test func threeAtOnceLoseNoWord() {
        let all = ["A", "B", "C"].map { SpeakerTurn(start: 0, end: 4, speaker: $0) }
        let found = speakers(words("a b c d", from: 0), all)
        #expect(found.count == 4 && Set(found).count == 1)
    }
}

/// The diarizer hears a recording once, however often the model reads it.
struct SpeakerTapTests {
    private let windows = 400
    private var samples: [Float] { [Float](repeating: 0.5, count: windows * VoiceActivity.windowLength) }

    private func tap(_ source: any SampleSource, windows: Int? = nil) -> (SpeakerTap, SpeakerDiarizer) {
        let detector = ScriptedDetector([Float](repeating: 1, count: windows ?? self.windows) + [0])
        let diarizer = SpeakerDiarizer(encoder: VoiceByLevel(windowLength: 1600), detector: detector)
        return (SpeakerTap(source, diarizer: diarizer), diarizer)
    }

    private func expectHeardOnce(_ diarizer: SpeakerDiarizer, count: Int) {
        #expect(diarizer.finish().turns.map(\.range) == [0..<count])
    }

    @Test func aPipeIsHeardWhileItIsRead() throws {
        let (tap, diarizer) = tap(TestSources.Pipe(samples))
        #expect(try !tap.rewind())
        #expect(try readAll(tap).count == samples.count)
        try tap.finish()
        expectHeardOnce(diarizer, count: samples.count)
    }

    /// The second of two passes is heard; a short recording that is read once is heard at the end.
    @Test(arguments: 1...2) func aShortRecordingIsHeardOnce(passes: Int) throws {
        let (tap, diarizer) = tap(ArraySampleSource(samples))
        for _ in 0..<passes {
            #expect(try tap.rewind())
            #expect(try readAll(tap).count == samples.count)
        }
        try tap.finish()
        expectHeardOnce(diarizer, count: samples.count)
    }

    @Test func aLongRecordingReadOnceIsReadAgain() throws {
        let source = TestSources.Counting(seconds: 70)
        let windows = 70 * 16_000 / VoiceActivity.windowLength + 1
        let (tap, diarizer) = tap(source, windows: windows)
        #expect(try tap.rewind())
        #expect(try readAll(tap).count == 70 * 16_000)
        #expect(source.passes == 1)
        try tap.finish()
        #expect(source.passes == 2)
        let found = diarizer.finish()
        #expect(found.turns.first?.range.lowerBound == 0 && found.turns.last?.range.upperBound == 70 * 16_000)
    }
}
