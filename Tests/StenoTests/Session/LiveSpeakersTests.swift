import StenoCore
import StenoSpeakers
import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import Steno

/// Speaker labels of final words in a live session in which voices are levels.
struct LiveSpeakersTests {
    /// Two voices in turn, and where each begins.
    private func talk() -> (talk: ScriptedTalk, isSecond: [Bool]) {
        var random = SplitMix64(seed: 11)
        var talk = ScriptedTalk()
        var isSecond: [Bool] = []
        for turn in 0..<8 {
            talk.append(0, seconds: 1)
            let before = talk.words.count
            for _ in 0..<14 {
                talk.speak(seconds: Double.random(in: 0.2...0.5, using: &random), level: turn % 2 == 0 ? 0.5 : 0.35)
            }
            isSecond += [Bool](repeating: turn % 2 == 1, count: talk.words.count - before)
        }
        talk.append(0, seconds: 1)
        return (talk, isSecond)
    }

    private func events(_ profiles: [SpeakerProfile] = [], numberedFrom first: Int = 0) throws -> [TranscriptionEvent] {
        let diarizer = OnlineDiarizer(encoder: VoiceByLevel())
        let speakers = LiveSpeakers(diarizer, profiles: profiles, numberedFrom: first)
        return try LiveRun(talk().talk, speakers: speakers).events
    }

    private func label(_ isSecond: Bool) -> String { isSecond ? "Speaker 2" : "Speaker 1" }

    @Test func everyFinalWordHasALabelAndTheTextIsTheSame() throws {
        let (talk, isSecond) = talk()
        let plain = try LiveRun(talk).events
        let labelled = try events()
        #expect(labelled.filter { $0.kind == .final }.map(\.text) == plain.filter { $0.kind == .final }.map(\.text))
        let atOnce = labelled.filter { $0.kind == .final }.flatMap(\.segments).flatMap(\.words)
        #expect(atOnce.count == isSecond.count)
        #expect(atOnce.allSatisfy { $0.speaker != nil }, "when it becomes final")
        let wrongAtOnce = zip(atOnce, isSecond).count { $0.speaker != label($1) }
        #expect(wrongAtOnce <= atOnce.count / 8)

        let text = labelled.transcript
        let corrected = text.finals.flatMap(\.words)
        let wrong = zip(corrected, isSecond).count { $0.speaker != label($1) }
        #expect(wrong <= min(wrongAtOnce, corrected.count / 25))
        let transcript = text.transcript()
        #expect(transcript.speakers == ["Speaker 1", "Speaker 2"])
        #expect(transcript.segments.count >= 8)
        #expect(
            transcript.segments.allSatisfy { segment in
                segment.words?.allSatisfy { $0.speaker == segment.speaker } ?? false
            })
        checkFiles(of: labelled)
    }

    /// Captions and files have the speakers too.
    private func checkFiles(of events: [TranscriptionEvent]) {
        for (format, first, second) in [
            (LiveTranscriptStream.Format.text, "Speaker 1: w0", "\nSpeaker 2: w"),
            (.vtt, "<v Speaker 1>w0", "<v Speaker 2>w"),
            (.srt, "Speaker 1: w0", "\nSpeaker 2: w"),
        ] {
            var stream = LiveTranscriptStream(format)
            let text = events.map { stream.text(after: $0) }.joined() + stream.end()
            #expect(text.contains(first) && text.contains(second), "\(format)")
        }
        var file = LiveFileText()
        file.track = LiveCueTrack(.readable)
        for event in events { _ = file.apply(event) }
        file.finish()
        #expect(Set(file.cues.map(\.speaker)) == ["Speaker 1", "Speaker 2"])
    }

    /// Where another voice answers at once, a full stop is final with the first word of the answer.
    @Test func punctuationHasTheSpeakerOfItsWord() {
        let speakers = LiveSpeakers(OnlineDiarizer(encoder: VoiceByLevel()))
        for level: Float in [0.5, 0.35] {
            for _ in 0..<300 {
                speakers.hear([Float](repeating: level, count: VoiceActivity.windowLength))
                _ = speakers.hear(probability: 0.9)
            }
        }
        func labels(_ words: [(String, Double)], utterance: Int = 0) -> [String?] {
            let said = words.map { Word(rawText: $0.0, start: $0.1, end: $0.1 + 0.2, probability: 1) }
            let segment = LiveSegment(
                id: 0, start: 0, end: 20, text: said.map(\.rawText).joined(), isFinal: true, words: said,
                utterance: utterance)
            return speakers.labelled([segment]).flatMap(\.words).map(\.speaker)
        }
        #expect(labels([(" one", 5)]) == ["Speaker 1"])
        #expect(labels([(".", 14), (" two", 14.2)]) == ["Speaker 1", "Speaker 2"])
        // A mark that begins an utterance follows no word of it.
        #expect(labels([("…", 5), (" three", 14)], utterance: 1) == ["Speaker 1", "Speaker 2"])
    }

    @Test func anEnrolledVoiceHasItsNameOnceItIsSure() throws {
        let events = try events([SpeakerProfile(name: "Ada", embedding: [0, 1, 0, 0], seconds: 30)])
        #expect(events.transcript.transcript().speakers == ["Speaker 1", "Ada"])
        #expect(events.flatMap(\.speakerChanges).contains { $0.now == "Ada" && $0.end == nil })
    }

    @Test func correctionsApplyToTheirWords() {
        let change = SpeakerChange(start: 2, end: 4, was: "Speaker 1", now: "Speaker 2")
        let words = (0..<6).map {
            Word(
                rawText: " w", start: Double($0), end: Double($0) + 0.5, probability: 1,
                speaker: $0 == 3 ? "Ada" : "Speaker 1")
        }
        let segment = LiveSegment(id: 0, start: 0, end: 6, text: " w w w w w w", isFinal: true, words: words)
        var text = LiveTranscript()
        text.apply(.init(.final(text: segment.text, segments: [segment]), position: 7))
        #expect(text.apply(.init(.speakers([change]), position: 8)) == false, "the text is the same")
        let labels = text.finals[0].words.map(\.speaker)
        #expect(labels == ["Speaker 1", "Speaker 1", "Speaker 2", "Ada", "Speaker 1", "Speaker 1"])
        text.apply(.init(.speakers([SpeakerChange(start: 0, end: nil, was: "Speaker 1", now: "Ada")]), position: 9))
        #expect(text.transcript().speakers == ["Ada", "Speaker 2"])
    }

    /// A full stop that became final with the next word stays with the word before it.
    @Test func aCorrectionTakesTheMarkWithItsWord() {
        let texts = [[(" one", 0.0), (" two", 1.0)], [(".", 2.1), (" three", 2.2)]]
        let segments = texts.enumerated().map { id, words in
            LiveSegment(
                id: id, start: 0, end: 3, text: words.map(\.0).joined(), isFinal: true,
                words: words.map { Word(rawText: $0, start: $1, end: $1 + 0.5, probability: 1, speaker: "Speaker 1") })
        }
        var text = LiveTranscript(stored: segments, position: 3)
        text.apply(.init(.speakers([SpeakerChange(start: 0, end: 2, was: "Speaker 1", now: "Ada")]), position: 3))
        #expect(text.transcript().segments.map(\.text) == [" one two.", " three"])
        #expect(text.transcript().segments.map(\.speaker) == ["Ada", "Speaker 1"])
    }

    /// A named voice has its name for all words of its own session, and for none of the session before.
    @Test func aNameHoldsInItsOwnSession() {
        let change = TranscriptionEvent(
            .speakers(
                [SpeakerChange(start: 0, end: nil, was: "Speaker 1", now: "Ada")]), position: 3)
        let moved = change.moved(to: SessionStart(time: 60, segment: 4, utterance: 2))
        #expect(moved.speakerChanges == [SpeakerChange(start: 60, end: nil, was: "Speaker 1", now: "Ada")])
        #expect(moved.position == 63)
    }

    /// Nobody knows whether a voice was heard in the session before: it has a label of its own.
    @Test func voicesAreNumberedAfterEarlierOnes() throws {
        let labels = ["Speaker 2", "Ada", "Speaker 1", "Speaker 03", "Speaker 0", "Speaker", nil]
        let words = labels.map { Word(rawText: " w", start: 0, end: 1, probability: 1, speaker: $0) }
        let before = LiveSegment(id: 0, start: 0, end: 1, text: " w", isFinal: true, words: words)
        var text = LiveTranscript()
        #expect(LiveSpeakers.firstVoice(after: text) == 0)
        text.apply(.init(.final(text: " w", segments: [before]), position: 1))
        let first = LiveSpeakers.firstVoice(after: text)
        #expect(first == 2)
        let events = try events(numberedFrom: first)
        let changes = events.flatMap(\.speakerChanges)
        #expect(Set(changes.flatMap { [$0.was, $0.now] }).isDisjoint(with: ["Speaker 1", "Speaker 2"]))
        #expect(events.transcript.transcript().speakers == ["Speaker 3", "Speaker 4"])
    }

    /// The session skips most of a long gap, and the voices after it must keep their times.
    @Test func aLongGapShiftsNoLabel() throws {
        var talk = ScriptedTalk()
        var turns: [Range<Int>] = []
        for level: Float in [0.5, 0.35, 0.5] {
            let start = talk.count
            for _ in 0..<20 { talk.speak(seconds: 0.4, level: level) }
            turns.append(start..<talk.count)
            talk.append(0, seconds: 60)
        }
        let log = Recorder<TranscriptionEvent>()
        // No decoding ends before the audio does, so all voices are known when words get their labels.
        let queue = ImmediateQueue(ScriptedModel(talk), cost: { _, _ in 1000 }, now: { 0 })
        let pipeline = LivePipeline(
            LiveOptions(language: "en"), detector: ScriptedEar(), queue: queue,
            speakers: LiveSpeakers(OnlineDiarizer(encoder: VoiceByLevel()))
        ) { log.add($0) }
        for turn in turns { try pipeline.append(talk.samples(turn), at: turn.lowerBound) }
        try pipeline.finish()
        let expected: [String?] = (0..<60).map { label((20..<40).contains($0)) }
        #expect(log.all.transcript.finals.flatMap(\.words).map(\.speaker) == expected)
    }
}
