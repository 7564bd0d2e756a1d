import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoWhisperKit

/// Streams: their state, end and failures.
///
/// The model hears one word per second of audio that is not silent.
@Suite(.timeLimit(.minutes(60))) struct AudioStreamTranscriberTests {
    private let audio = [1, 1, 0, 0, 1, 1, 1, 0, 0, 1].flatMap { [Float](repeating: $0 * 0.3, count: 16_000) }
    private let source = PushedSource()
    private let model = CountingModel(SecondFamilyModel())

    private var whisperKit: WhisperKit { WhisperKit(Transcriber(model: model)) }

    private func transcriber(
        _ callback: AudioStreamTranscriberCallback? = nil, hearing: SecondFamilyModel.Hearing = .repeated,
        isRealTime: Bool = false
    ) -> AudioStreamTranscriber {
        AudioStreamTranscriber(
            WhisperKit(Transcriber(model: SecondFamilyModel(hearing: hearing))),
            source: StreamSource(LiveSource(source, isRealTime: isRealTime)),
            decodingOptions: DecodingOptions(language: "en"), useVAD: false, stateChangeCallback: callback)
    }

    @Test(arguments: SecondFamilyModel.Hearing.allCases)
    func stoppingTranscribesAndConfirmsTheRest(hearing: SecondFamilyModel.Hearing) async throws {
        let transcriber = transcriber(hearing: hearing, isRealTime: true)
        source.push(audio)
        let running = Task { try await transcriber.startStreamTranscription() }
        var states = transcriber.states.makeAsyncIterator()
        while let state = await states.next(), state.lastBufferSize < audio.count - 16_000 {}
        await transcriber.stopStreamTranscription()
        try await running.value
        var last: AudioStreamTranscriber.State?
        while let state = await states.next() { last = state }
        let end = try #require(last)
        #expect(end.confirmedSegments.flatMap { $0.words ?? [] }.count == 6, "every word")
        #expect(end.currentText.isEmpty && end.unconfirmedSegments.isEmpty && end.unconfirmedText.isEmpty)
        #expect(!end.isRecording)
    }

    @Test(arguments: SecondFamilyModel.Hearing.allCases)
    func allStatePropertiesAreSet(hearing: SecondFamilyModel.Hearing) async throws {
        let log = StateLog()
        let transcriber = transcriber({ log.add($0, $1) }, hearing: hearing)
        source.push(audio)
        source.end()
        try await transcriber.startStreamTranscription()
        let states = log.states
        #expect(log.areConnected, "each old state is the new one of the call before")
        #expect(states.contains { $0.isRecording })
        #expect(states.contains { !$0.currentText.isEmpty && $0.unconfirmedText == $0.unconfirmedSegments.map(\.text) })
        let last = try #require(states.last)
        #expect(last.lastBufferSize == audio.count)
        #expect(last.lastConfirmedSegmentEndSeconds == last.confirmedSegments.last?.end)
        #expect(last.bufferEnergy.count == 100 && last.bufferEnergy.allSatisfy { (0...1).contains($0) })
        #expect(last.currentFallbacks == 0)
        for (before, after) in zip(states, states.dropFirst()) {
            #expect(after.confirmedSegments.starts(with: before.confirmedSegments), "confirmed text never changes")
        }
    }

    /// A full stop that comes with the utterance's end joins its word, even if the next word is already there.
    @Test func fullStopsJoinTheirWordsConfirmedSegment() {
        func final(_ id: Int, _ text: String) -> TranscriptionEvent {
            let (start, end) = (Double(id), Double(id) + 0.9)
            let word = Word(rawText: text, start: start, end: end, probability: 1)
            let segment = LiveSegment(
                id: id, start: start, end: end, text: text, isFinal: true, words: [word], utterance: id)
            return .init(.final(text: text, segments: [segment]), position: end)
        }
        var (state, text) = (AudioStreamTranscriber.State(), LiveTranscript())
        text.apply(final(0, " One"))
        state.apply(text)
        text.apply(.init(.utteranceEnd(0, mark: "."), position: 1))
        state.apply(text)
        #expect(state.confirmedSegments.map(\.text) == [" One."])
        #expect(state.confirmedSegments.last?.words?.map(\.word) == [" One."])
        text.apply(final(1, " Two"))
        state.apply(text)
        text.apply(.init(.utteranceEnd(1, mark: "?"), position: 2))
        text.apply(final(2, " Three"))
        state.apply(text)
        state.apply(text)
        #expect(state.confirmedSegments.map(\.text) == [" One.", " Two?", " Three"])
        #expect(state.lastConfirmedSegmentEndSeconds == 2.9)
    }

    @Test func aTranscriberCanBeStartedAgain() async throws {
        let log = StateLog()
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("talk.wav")
        try AudioFile.write(samples: audio, to: file)
        let transcriber = AudioStreamTranscriber(
            whisperKit, source: .file(file), decodingOptions: DecodingOptions(language: "en"), useVAD: false
        ) { log.add($0, $1) }
        try await transcriber.startStreamTranscription()
        let first = log.states.last
        try await transcriber.startStreamTranscription()
        #expect(log.states.last == first, "with the same text and the same energies")
        #expect(first?.confirmedSegments.isEmpty == false)
    }

    @Test func stoppingDuringLoadingIsNotAnError() async throws {
        let (began, loading) = (AsyncGate(), AsyncGate())
        let slot = ModelSlot(folder: nil) { [model] _ in
            began.open()
            await loading.wait()
            return (Transcriber(model: model), nil)
        }
        let transcriber = AudioStreamTranscriber(WhisperKit(slot), source: StreamSource(LiveSource(source)))
        let running = Task { try await transcriber.startStreamTranscription() }
        await began.wait()
        await transcriber.stopStreamTranscription()
        try await running.value
        loading.open()
    }

    /// A tokenizer belongs to a loaded model.
    @Test func promptsUseTheModelLoadedLater() async throws {
        let slot = ModelSlot(folder: nil) { _ in (try await Transcriber.load(.folder(Fixtures.nano)), nil) }
        let whisperKit = WhisperKit(slot)
        let tokens = try await Transcriber.load(.folder(Fixtures.nano)).tokens(of: " Krems")
        let transcriber = AudioStreamTranscriber(
            whisperKit, source: StreamSource(LiveSource(source)),
            decodingOptions: DecodingOptions(promptTokens: tokens))
        #expect(whisperKit.tokenizer == nil)
        try await whisperKit.loadModels()
        #expect(await transcriber.options(slot).prompt == " Krems")
    }

    @Test func startingTwiceIsAnErrorAndCancellingEndsTheStream() async throws {
        let transcriber = transcriber(isRealTime: true)
        let running = Task { try await transcriber.startStreamTranscription() }
        var states = transcriber.states.makeAsyncIterator()
        while let state = await states.next(), !state.isRecording {}
        let error = await #expect(throws: WhisperError.self) { try await transcriber.startStreamTranscription() }
        guard case .initializationError = error else { return #expect(Bool(false), "\(String(describing: error))") }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        while await states.next() != nil {}
        await transcriber.stopStreamTranscription()
    }

    @Test func partsOfDifferentModelsAreRefused() async throws {
        struct Own: AudioEncoding {}
        let (one, other) = (whisperKit, whisperKit)
        for encoder in [other.audioEncoder, Own()] as [any AudioEncoding] {
            let transcriber = AudioStreamTranscriber(
                audioEncoder: encoder, featureExtractor: one.featureExtractor, segmentSeeker: one.segmentSeeker,
                textDecoder: one.textDecoder, tokenizer: NoTokenizer(),
                audioProcessor: AudioProcessor(source: StreamSource(LiveSource(source))),
                decodingOptions: DecodingOptions(), stateChangeCallback: nil)
            await #expect(throws: WhisperError.self) { try await transcriber.startStreamTranscription() }
        }
        // So is a language that the model does not know.
        let transcriber = AudioStreamTranscriber(
            whisperKit, source: StreamSource(LiveSource(source)), decodingOptions: DecodingOptions(language: "klingon"))
        let error = await #expect(throws: WhisperError.self) { try await transcriber.startStreamTranscription() }
        #expect(error?.localizedDescription.contains("klingon") == true)
    }

    @Test(arguments: SecondFamilyModel.Hearing.allCases)
    func failingSourcesConfirmEarlierText(hearing: SecondFamilyModel.Hearing) async throws {
        let log = StateLog()
        let transcriber = transcriber({ log.add($0, $1) }, hearing: hearing)
        source.push(Array(audio.prefix(32_000)))
        source.end(StenoError(.captureFailed, "The microphone is gone."))
        await #expect(throws: WhisperError.microphoneUnavailable("The microphone is gone.")) {
            try await transcriber.startStreamTranscription()
        }
        #expect(log.states.last?.confirmedSegments.isEmpty == false && log.states.last?.isRecording == false)
    }

    @Test func transcribersAreFreedAfterTheirStream() async throws {
        weak var dropped: AudioStreamTranscriber?
        do {
            let transcriber = transcriber()
            source.push(audio)
            source.end()
            try await transcriber.startStreamTranscription()
            dropped = transcriber
        }
        #expect(dropped == nil)
    }

    @Test func aRecordingGivesTheEnginesTextWithAsManyDecodings() async throws {
        let model = CountingModel(try await Transcriber.load(.folder(Fixtures.nano)).model)
        let file = Fixtures.file("sounds/norway.wav")
        let (text, decodings) = try await model.heard(try await decoded(file))
        let log = StateLog()
        let transcriber = AudioStreamTranscriber(
            WhisperKit(Transcriber(model: model)), source: .file(file)
        ) { log.add($0, $1) }
        try await transcriber.startStreamTranscription()
        let confirmed = try #require(log.states.last).confirmedSegments
        #expect(confirmed.map(\.text) == text.finals.map(\.text))
        #expect(confirmed.map(\.id) == text.finals.map(\.id))
        #expect(model.takeDecodings() == decodings && decodings > 0)
        #expect(text.finalText.contains("Norway"))
    }
}

struct StateLog: Sendable {
    private let pairs = Recorder<(old: AudioStreamTranscriber.State, new: AudioStreamTranscriber.State)>()

    var states: [AudioStreamTranscriber.State] { pairs.all.map(\.new) }
    var areConnected: Bool { zip(pairs.all, pairs.all.dropFirst()).allSatisfy { $0.new == $1.old } }

    func add(_ old: AudioStreamTranscriber.State, _ new: AudioStreamTranscriber.State) { pairs.add((old, new)) }
}

extension Transcriber {
    fileprivate func tokens(of text: String) throws -> [Int] { try #require(ModelTokenizer(model)).encode(text: text) }
}

/// A tokenizer for models without one.
struct NoTokenizer: WhisperTokenizer {
    let specialTokens = SpecialTokens(
        endToken: 0, englishToken: 0, noSpeechToken: 0, noTimestampsToken: 0, specialTokenBegin: 0,
        startOfPreviousToken: 0, startOfTranscriptToken: 0, timeTokenBegin: 0, transcribeToken: 0, translateToken: 0,
        whitespaceToken: 0)
    func encode(text: String) -> [Int] { [] }
    func decode(tokens: [Int]) -> String { "" }
}
