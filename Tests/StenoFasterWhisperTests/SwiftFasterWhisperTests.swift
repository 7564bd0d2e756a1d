import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoFasterWhisper

@Suite(.timeLimit(.minutes(60))) struct SwiftFasterWhisperTests {
    @Test func silenceIsAnEmptyResultAndReleasedInstancesAreFreed() async throws {
        weak var dropped: SwiftFasterWhisper?
        do {
            let whisper = try await Recordings.whisper(Fixtures.nano)
            let result = try await whisper.transcribe(audio: [Float](repeating: 0, count: 32_000))
            #expect(result.text.isEmpty && result.segments.isEmpty && result.duration == 2)
            dropped = whisper
        }
        #expect(dropped == nil)
    }

    @Test func theModelMustBeLoadedFirst() async throws {
        let whisper = SwiftFasterWhisper(modelPath: Fixtures.nano.path)
        #expect(!whisper.isModelLoaded)
        await #expect(throws: RecognitionError.modelNotLoaded) { try await whisper.transcribe(audio: [0]) }
        await #expect(throws: RecognitionError.modelNotLoaded) { try await whisper.translate(audioFilePath: "a.wav") }
        try await whisper.loadModel()
        try await whisper.loadModel()
        #expect(whisper.isModelLoaded)
        #expect(SwiftFasterWhisper.bundledModelPath() == (try BundledModel.folder.path))
        // Its errors are reported.
        let nowhere = SwiftFasterWhisper(modelPath: "/no/such/model")
        await #expect(throws: RecognitionError.invalidModelPath) { try await nowhere.loadModel() }
        let empty = SwiftFasterWhisper(modelPath: try TemporaryFolder().url.path)
        await #expect(throws: RecognitionError.self) { try await empty.loadModel() }
        let folder = try TemporaryFolder()
        let missing = await #expect(throws: RecognitionError.self) {
            try await ModelFinder.$current.withValue(ModelFinder(folder)) { try await SwiftFasterWhisper().loadModel() }
        }
        #expect(missing?.localizedDescription.contains("steno models download medium") == true)
    }

    @Test func recordingErrorsAreReported() async throws {
        let whisper = try await Recordings.whisper(Fixtures.nano)
        let missing = await #expect(throws: RecognitionError.self) {
            try await whisper.transcribe(audioFilePath: "/no/such/recording.wav")
        }
        #expect(missing?.localizedDescription.contains("recording.wav") == true)
        guard case .recognitionFailed = missing else { return #expect(Bool(false), "\(String(describing: missing))") }
        let language = await #expect(throws: RecognitionError.self) {
            try await whisper.translate(audio: [0, 0.1], sourceLanguage: "klingon")
        }
        guard case .translationFailed(let message) = language else {
            return #expect(Bool(false), "\(String(describing: language))")
        }
        #expect(message.contains("klingon"))
        await #expect(throws: RecognitionError.invalidAudioData) { try await whisper.translate(audio: [.nan]) }
    }

    #if os(Linux) || os(macOS)
        /// The audio is an endless pipe, so nothing else can end the transcription.
        @Test func cancellingStopsATranscription() async throws {
            let whisper = try await Recordings.whisper(Fixtures.nano)
            let folder = try TemporaryFolder()
            let pipe = folder.url.appendingPathComponent("sound.pipe")
            try #require(mkfifo(pipe.path, 0o600) == 0)
            // Opening for reading and writing does not wait for the other side.
            let writer = try #require(FileHandle(forUpdatingAtPath: pipe.path))
            try writer.write(contentsOf: Data(contentsOf: Recordings.english).prefix(8000))
            let task = Task { try await whisper.transcribe(audioFilePath: pipe.path) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            withExtendedLifetime((folder, writer)) {}
        }
    #endif
}
