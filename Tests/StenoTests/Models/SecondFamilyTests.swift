import Foundation
import StenoCore
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno

/// Everything above the models works with a family that is not Whisper.
struct SecondFamilyTests {
    let model = SecondFamilyModel()
    /// Three seconds of noise, one of silence, one of noise.
    let audio: [Float] =
        TestAudio.noise(seed: 1, count: 48_000, gain: 0.1) + [Float](repeating: 0, count: 16_000)
        + TestAudio.noise(seed: 2, count: 16_000, gain: 0.1)

    @Test func transcribesSamples() async throws {
        let transcript = try await Transcriber(model: model).transcribe(samples: audio)
        #expect(transcript.text == "one two three one")
        #expect(transcript.segments.map(\.start) == [0, 1, 2, 4])
        #expect(transcript.segments.allSatisfy { $0.whisper == nil && $0.words == nil })
        let found = try await Transcriber(model: model).detectLanguage { [audio] in ArraySampleSource(audio) }
        #expect(found.language == "xx")
    }

    @Test func givesSegmentsAndSeveralTranscripts() async throws {
        let transcriber = Transcriber(model: model)
        var texts: [String] = []
        for try await event in transcriber.events(from: { [audio] in ArraySampleSource(audio) }) {
            if let segment = event.segment { texts.append(segment.text) }
        }
        #expect(texts == [" one", " two", " three", " one"])

        let recordings = ["talk": audio, "silence": []]
        let files = ["talk", "nowhere", "silence"].map { URL(fileURLWithPath: $0) }
        var outcomes: [String] = []
        for try await done in transcriber.transcripts(
            files: files,
            open: { file in
                guard let samples = recordings[file.lastPathComponent] else {
                    throw StenoError(.audioNotFound, "None.")
                }
                return ArraySampleSource(samples)
            })
        {
            outcomes.append((try? done.result.get().text) ?? "failed")
        }
        #expect(outcomes == ["one two three one", "failed", ""])
    }

    @Test func commonOptionsAreUnderstood() async throws {
        var options = TranscriptionOptions(language: "xx", wordTimestamps: true)
        // With default values, the options of another family ask for nothing.
        options.whisper = WhisperOptions()
        let transcript = try await Transcriber(model: model).transcribe(samples: audio, options: options)
        #expect(transcript.language == "xx")
        #expect(transcript.segments.allSatisfy { $0.words?.count == 1 })
        await #expect(throws: StenoError.self) {
            try await Transcriber(model: model).transcribe(samples: [], options: TranscriptionOptions(language: "de"))
        }
    }

    /// Otherwise they would be ignored in silence.
    @Test func anotherFamilysOptionsAreRefusedByName() async throws {
        var options = TranscriptionOptions()
        options.whisper.beamSize = 3
        let beams = options
        let one = await #expect(throws: StenoError.self) {
            try await Transcriber(model: model).transcribe(samples: audio, options: beams)
        }
        #expect(one?.code == .invalidOption)
        let missing = "beamSize: an option of Whisper models, and this is a Scripted model, which does not have it. "
        #expect(one?.message == missing + "Leave it out.")
        options.whisper.guards = GuardOptions()
        let two = #expect(throws: StenoError.self) { try model.check(options) }
        #expect(two?.message.hasPrefix("beamSize, guards: options of Whisper models") == true)
    }

    @Test(arguments: TranscriptionOptions.Name.allCases)
    func anOptionThatTheModelLacksIsRefusedByName(name: TranscriptionOptions.Name) throws {
        let asked = TranscriptionOptions(wordTimestamps: true).with {
            ($0.vocabulary, $0.prompt, $0.clips) = (["Zwettl"], "Hello.", [0..<1])
        }
        let model = SecondFamilyModel(options: Set(TranscriptionOptions.Name.allCases).subtracting([name]))
        let error = #expect(throws: StenoError.self) { try model.check(asked) }
        #expect(error?.code == .invalidOption)
        #expect(error?.message.hasPrefix("\(name.rawValue): an option of other models") == true)
        #expect(throws: Never.self) { try model.check(TranscriptionOptions(language: "xx").with { $0.batchSize = 4 }) }
    }

    /// Labels belong to words, so the error is about speakers, not about word times that nobody asked for.
    @Test func speakersAreRefusedByAModelWithoutWordTimes() async throws {
        let transcriber = Transcriber(model: SecondFamilyModel(options: []))
        let options = TranscriptionOptions().with { $0.speakers = SpeakerOptions() }
        let error = await #expect(throws: StenoError.self) {
            try await transcriber.transcribe(samples: audio, options: options)
        }
        #expect(error?.code == .invalidOption)
        #expect(error?.message.hasPrefix("speakers: an option of other models") == true)
    }

    /// Written files contain only facts that the family has.
    @Test(arguments: TranscriptFormat.texts) func writesEveryFormat(format: TranscriptFormat) async throws {
        let transcript = try await Transcriber(model: model).transcribe(samples: audio)
        let text = format.text(of: transcript)
        #expect(text.contains("three"))
        #expect(!text.contains("avg_logprob") && !text.contains("tokens"))
        if format == .json {
            #expect(try JSONDecoder().decode(Transcript.self, from: Data(text.utf8)) == transcript)
        }
    }

    /// Live: the session, its policy and its events know nothing of Whisper, nor of how a model hears.
    @Test(arguments: SecondFamilyModel.Hearing.allCases)
    func captionsLive(hearing: SecondFamilyModel.Hearing) async throws {
        let model = SecondFamilyModel(hearing: hearing)
        let options = LiveOptions(language: "en").with { ($0.guards, $0.detector) = (nil, .energy) }
        let engine = try ModelEngine(model: model, options: options, pace: .fast)
        let (before, after) = ([Float](repeating: 0, count: 8_000), [Float](repeating: 0, count: 24_000))
        let heard = try await engine.events(hearing: before + audio[..<48_000] + after) { 4_000 }.transcript
        #expect(heard.state == .finished)
        #expect(heard.finalText.contains("two"), "“\(heard.finalText)”")
    }

    @Test func engineOptionsAreCheckedByTheModel() async throws {
        #expect(throws: StenoError.self) { try ModelEngine(model: model, options: LiveOptions(language: "de")) }
        #expect(throws: StenoError.self) { try ModelEngine(model: model, options: LiveOptions(task: .translate)) }
        let plain = SecondFamilyModel(options: [])
        let changes: [(inout LiveOptions) -> Void] = [{ $0.vocabulary = ["Zwettl"] }, { $0.prompt = "Hello." }]
        for change in changes {
            expectError(.invalidOption) { try ModelEngine(model: plain, options: LiveOptions().with(change)) }
        }
        let factory = TranscriptionEngineFactory([ModelEngineProvider(model: model)])
        #expect(try await factory.makeEngine(for: EngineRequest(language: "xx")).provider == "Scripted")
    }
}
