import Observation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoRecognizer

/// What a view sees of live transcription, with a scripted engine.
@Suite(.timeLimit(.minutes(60))) @MainActor struct SpeechRecognizerTests {
    private let source = PushedSource()

    /// One second of hearing “ Hello”, one of “ world”.
    private var script: [TranscriptionEvent] {
        let hello = liveSegment(0, " Hello")
        let guess = liveSegment(1, " word", isFinal: false)
        let world = liveSegment(1, " world")
        return [
            .init(.level(AudioLevel(rms: -30, peak: -20)), position: 0.1),
            .init(.speech(isSpeaking: true, time: 0.1), position: 0.2),
            .init(.language(LanguageDetection(language: "en", probability: 0.9)), position: 0.5),
            .init(.final(text: hello.text, segments: [hello]), position: 1),
            .init(.partial(text: guess.text, segments: [guess]), position: 1.5),
            .init(.final(text: world.text, segments: [world]), position: 2),
        ]
    }

    private func recognizer(_ provider: any TranscriptionEngineProvider, language: String? = nil) -> SpeechRecognizer {
        SpeechRecognizer(TranscriptionEngineFactory([provider]), request: EngineRequest(language: language))
    }

    private func started(_ provider: any TranscriptionEngineProvider, language: String? = nil) -> SpeechRecognizer {
        let recognizer = recognizer(provider, language: language)
        recognizer.start(LiveSource(source))
        return recognizer
    }

    @Test func eventsUpdateTheState() async {
        let recognizer = recognizer(ScriptedProvider(script))
        #expect(recognizer.state == .idle && recognizer.segments.isEmpty)
        recognizer.start(LiveSource(source))
        #expect(recognizer.state == .preparing)
        source.push(seconds: 1.5)
        await recognizer.changes { $0.text == "Hello word" }
        #expect(recognizer.segments.map(\.id) == [0, 1])
        #expect(recognizer.segments.map(\.isFinal) == [true, false])
        #expect(recognizer.finalText == "Hello")
        #expect(recognizer.level == AudioLevel(rms: -30, peak: -20))
        #expect(recognizer.isSpeaking && recognizer.state == .running)
        #expect(recognizer.detectedLanguage?.language == "en")
        await recognizer.stop()
        #expect(recognizer.text == "Hello world", "the last words are not lost")
        #expect(recognizer.segments.map(\.id) == [0, 1] && recognizer.segments.allSatisfy(\.isFinal))
        #expect(recognizer.transcript.text == "Hello world" && recognizer.transcript.language == "en")
        #expect(recognizer.state == .finished && recognizer.failure == nil)
        #expect(recognizer.level == nil && !recognizer.isSpeaking && recognizer.preparation == nil)
    }

    @Test func changesAreObserved() async {
        let recognizer = recognizer(ScriptedProvider(script))
        let (texts, text) = AsyncStream.makeStream(of: Void.self)
        let (levels, level) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking({ _ = recognizer.text }, onChange: { text.finish() })
        withObservationTracking({ _ = recognizer.level }, onChange: { level.finish() })
        recognizer.start(LiveSource(source))
        source.push(seconds: 0.15)
        for await _ in levels {}
        source.push(seconds: 1)
        for await _ in texts {}
        await recognizer.cancel()
    }

    /// A view must not compare an hour of text with each of ten levels a second.
    @Test func theTextVersionChangesWithTheText() async {
        let recognizer = started(ScriptedProvider(script))
        let empty = recognizer.textVersion
        source.push(seconds: 0.6)
        await recognizer.changes { $0.detectedLanguage != nil }
        #expect(recognizer.level != nil && recognizer.textVersion == empty)
        source.push(seconds: 1)
        await recognizer.changes { $0.text == "Hello word" }
        #expect(recognizer.textVersion > empty)
        #expect(recognizer.finals.map(\.text) == [" Hello"] && recognizer.partials.map(\.text) == [" word"])
        await recognizer.stop()
        let last = recognizer.textVersion
        recognizer.start(LiveSource(PushedSource()))
        #expect(recognizer.textVersion > last && recognizer.finals.isEmpty, "the text is new")
        await recognizer.cancel()
    }

    @Test func equalLevelsAreCounted() async {
        let silence = AudioLevel(rms: -120, peak: -120)
        let recognizer = started(ScriptedProvider((1...5).map { .init(.level(silence), position: Double($0) / 10) }))
        source.push(seconds: 1)
        await recognizer.changes { $0.levelCount == 5 }
        #expect(recognizer.level == silence)
        await recognizer.stop()
        #expect(recognizer.level == nil && recognizer.levelCount == 5)
    }

    @Test func cancellingKeepsTheTextAndEndsAtOnce() async {
        let recognizer = started(ScriptedProvider(script))
        source.push(seconds: 1.5)
        await recognizer.changes { $0.text == "Hello word" }
        await recognizer.cancel()
        #expect(recognizer.state == .cancelled && recognizer.failure == nil)
        #expect(recognizer.text == "Hello word")
        await recognizer.cancel()
        await recognizer.stop()
    }

    @Test func aSecondStartDoesNothingUntilTheSessionEnds() async {
        let recognizer = recognizer(ScriptedProvider(script))
        for _ in 0..<2 {
            let source = PushedSource()
            recognizer.start(LiveSource(source))
            recognizer.start(LiveSource(PushedSource(error: StenoError(.permissionDenied, "Not allowed."))))
            source.push(seconds: 2)
            await recognizer.changes { $0.text == "Hello world" }
            await recognizer.stop()
            #expect(recognizer.segments.count == 2, "each session begins with an empty text")
            #expect(recognizer.failure == nil)
        }
    }

    /// A provider whose engines hear a word in each second of audio.
    private func counting(isFlexible: Bool) -> ScriptedProvider {
        let words = ["one", "two", "three"].enumerated().map { id, word in
            let segment = liveSegment(id, " \(word)")
            return TranscriptionEvent(.final(text: segment.text, segments: [segment]), position: Double(id) + 1)
        }
        return ScriptedProvider(words, isFlexible: isFlexible)
    }

    @Test func aFlexibleEngineChangesItsLanguageAndKeepsTheText() async {
        let provider = counting(isFlexible: true)
        let recognizer = started(provider, language: "en")
        source.push(seconds: 1)
        await recognizer.changes { $0.text == "one" }
        recognizer.language = "de-AT"
        #expect(recognizer.language == "de-AT")
        await recognizer.languageChange()
        source.push(seconds: 1)
        await recognizer.stop()
        #expect(recognizer.text == "one two three" && recognizer.failure == nil)
        #expect(provider.requests.all.map(\.language) == ["en"], "it is the same engine")
        #expect(recognizer.transcript.language == "de")
    }

    /// The first engine's last words become final, and the second hears the rest.
    @Test func aOneLanguageEngineIsReplaced() async {
        let provider = counting(isFlexible: false)
        let recognizer = started(provider, language: "en")
        source.push(seconds: 1)
        await recognizer.changes { $0.text == "one" }
        recognizer.language = "fr"
        recognizer.language = "de-AT"
        await recognizer.languageChange()
        #expect(provider.requests.all.map(\.language) == ["en", "de-AT"])
        source.push(seconds: 1)
        await recognizer.changes { $0.segments.count == 4 }
        #expect(recognizer.state == .running)
        await recognizer.stop()
        #expect(recognizer.text == "one two three one two three" && recognizer.failure == nil)
        #expect(recognizer.segments.map(\.id) == Array(0..<6))
        #expect(recognizer.segments[3].start == 1 && recognizer.state == .finished)
    }

    @Test func anUnknownLanguageEndsTheSessionAndKeepsTheText() async {
        let recognizer = started(counting(isFlexible: false), language: "en")
        source.push(seconds: 1)
        await recognizer.changes { $0.text == "one" }
        recognizer.language = "tlh"
        await recognizer.changes { $0.state.isEnd }
        #expect(recognizer.failure?.message.contains("Nobody knows Klingon.") == true)
        #expect(recognizer.text == "one two three" && recognizer.state == .finished)
        #expect(recognizer.transcript.language == "en", "the text is in the language it was spoken in")
    }

    /// Loading shows its progress, and the engine gets a language set meanwhile.
    @Test func theLanguageChangesWhileAModelLoads() async {
        let provider = ScriptedProvider(script, preparation: "Loading the model.")
        let recognizer = started(provider)
        await recognizer.changes { $0.preparation == "Loading the model." }
        #expect(recognizer.state == .preparing)
        recognizer.language = "de"
        provider.finishPreparing()
        await recognizer.changes { $0.state == .running }
        #expect(recognizer.preparation == nil && provider.requests.all.last?.language == "de")
        await recognizer.stop()
        #expect(recognizer.transcript.language == "de")
        recognizer.language = "fr"
        #expect(recognizer.transcript.language == "de", "the text is that of the last session")
    }

    /// The text of a file does not depend on the speed of the machine.
    @Test(arguments: [(true, LivePace.realTime), (false, .fast)])
    func theEngineHasThePaceOfItsSource(isRealTime: Bool, pace: LivePace) async {
        let provider = ScriptedProvider(script)
        let recognizer = recognizer(provider)
        recognizer.start(LiveSource(PushedSource(), isRealTime: isRealTime))
        await recognizer.changes { $0.state == .running }
        await recognizer.stop()
        #expect(provider.requests.all.map(\.pace) == [pace])
    }

    @Test func anUnavailableEngineOrAForbiddenMicrophoneSaysWhatToDo() async {
        let recognizer = started(
            ScriptedProvider(script, capability: .unavailable(reason: "There is no model. Install one.")))
        await recognizer.changes { $0.state.isEnd }
        #expect(recognizer.state == .failed)
        #expect(recognizer.failure?.message.contains("Install one.") == true)
        #expect(recognizer.failure?.code == "engineUnavailable")
        let other = self.recognizer(ScriptedProvider(script))
        other.start(LiveSource(PushedSource(error: StenoError(.permissionDenied, "Allow it in the settings."))))
        await other.changes { $0.state == .failed }
        #expect(other.failure?.message == "Allow it in the settings.")
        #expect(other.failure?.code == "permissionDenied")
    }

    @Test func unpluggingTheMicrophoneKeepsTheText() async {
        let recognizer = started(ScriptedProvider(script))
        source.push(seconds: 1)
        source.end(StenoError(.captureFailed, "The microphone is gone."))
        await recognizer.changes { $0.state.isEnd && $0.level == nil && !$0.isSpeaking }
        #expect(recognizer.text == "Hello world")
        #expect(recognizer.state == .finished)
        #expect(recognizer.failure?.message == "The microphone is gone.")
        recognizer.start(LiveSource(PushedSource()))
        #expect(recognizer.failure == nil && recognizer.text.isEmpty)
        await recognizer.cancel()
    }

    @Test(arguments: [false, true])
    func endingWhilePreparingCancelsTheSession(cancels: Bool) async {
        let recognizer = started(ScriptedProvider(script, preparation: "Loading the model."))
        await recognizer.changes { $0.preparation != nil }
        if cancels { await recognizer.cancel() } else { await recognizer.stop() }
        #expect(recognizer.state == .cancelled && recognizer.failure == nil)
    }

    @Test func aDroppedRecognizerIsReleasedAndItsSourceEnds() async {
        weak var dropped: SpeechRecognizer?
        do {
            let recognizer = started(ScriptedProvider(script))
            source.push(seconds: 1)
            await recognizer.changes { $0.text == "Hello" }
            dropped = recognizer
        }
        await source.hasStopped()
        #expect(dropped == nil)
    }

    @Test(arguments: SecondFamilyModel.Hearing.allCases)
    func aRealEngineGivesItsText(hearing: SecondFamilyModel.Hearing) async throws {
        var options = LiveOptions()
        options.detector = .energy
        let provider = ModelEngineProvider(model: SecondFamilyModel(hearing: hearing), options: options)
        let recognizer = recognizer(provider, language: "en")
        recognizer.start(LiveSource(source, isRealTime: false))
        source.push(seconds: 3)
        await recognizer.changes { $0.state == .running }
        await recognizer.stop()
        #expect(recognizer.text == "one two three")
    }

    @Test func aLoadedModelIsShared() async throws {
        let transcriber = Transcriber(model: SecondFamilyModel())
        let recognizer = SpeechRecognizer(transcriber, language: "xx")
        recognizer.start(LiveSource(source))
        await recognizer.changes { $0.state == .running }
        recognizer.language = "en-US"
        await recognizer.languageChange()
        #expect(recognizer.failure == nil)
        await recognizer.stop()
        #expect(recognizer.transcript.language == "en")
    }
}

extension SpeechRecognizer {
    /// Returns when a condition holds; it is checked whenever something it reads has changed.
    fileprivate func changes(_ holds: (SpeechRecognizer) -> Bool) async {
        while true {
            let (changes, change) = AsyncStream.makeStream(of: Void.self)
            if withObservationTracking({ holds(self) }, onChange: { change.finish() }) { return }
            // A change is announced before it is made, but this actor makes it before it continues here.
            for await _ in changes {}
        }
    }
}

extension PushedSource {
    /// Pushes a steady level.
    func push(seconds: Double) { push([Float](repeating: 0.3, count: Int(seconds * 16_000))) }
}
