import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoFasterWhisper

/// Every block of SwiftFasterWhisper's README runs, on recordings of real speech where the text is the point.
@Suite(.timeLimit(.minutes(60))) struct ReadmeTests {
    /// The first words of the recording, whatever the punctuation.
    private func expectWords(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let plain = text.lowercased().filter { $0.isLetter || $0 == " " }.split(separator: " ").joined(separator: " ")
        #expect(plain == "and so my fellow americans", sourceLocation: sourceLocation)
    }

    /// - Parameter model: The model of every name; nil is the bundled one.
    private func with<Value>(_ model: URL? = nil, _ body: () async throws -> Value) async throws -> Value {
        let folder = try model ?? BundledModel.folder
        return try await ModelFinder.$current.withValue(.always(folder), operation: body)
    }

    @Test func quickStart() async throws {
        let speech = try await Recordings.firstWords()
        try await with {
            expectWords(try await ReadmeSamples.quickStart(speech.file.path))
            expectWords(try await ReadmeSamples.task(Recordings.stream(Recordings.chunks(speech.samples))))
        }
    }

    @Test func modelSizesAndProgress() async throws {
        let reports = Recorder<String>()
        try await with(Fixtures.nano) {
            let loaded = try await ReadmeSamples.modelSizes { reports.add($0) }
            #expect(loaded.allSatisfy { $0.isModelLoaded })
        }
        #expect(reports.all == ["Downloading small: 100%, 1 of 1"])
        // A path may start with a tilde: from the home folder up to the root and down again.
        let home = URL(fileURLWithPath: NSHomeDirectory()).standardizedFileURL
        let up = home.pathComponents.dropFirst().map { _ in ".." }.joined(separator: "/")
        #expect(try await ReadmeSamples.customPath("~/" + up + Fixtures.nano.path).isModelLoaded)
    }

    @Test func basicTranscription() async throws {
        let speech = try await Recordings.firstWords()
        try await with {
            let results = try await ReadmeSamples.basic(speech.file.path) { speech.samples }
            for result in results {
                expectWords(result.text)
                #expect(result.language == "en" && result.duration == 3.3)
            }
            #expect(results[0].text == results[1].text && results[2].languageProbability == 1)
        }
    }

    @Test func translationAndSegments() async throws {
        let whisper = try await Recordings.whisper()
        let speech = try await Recordings.firstWords()
        let results = try await ReadmeSamples.translation(whisper, Recordings.spanish.path)
        for result in results {
            #expect(result.language == "es" && result.text.lowercased().contains("this"), "in English: \(result.text)")
        }
        let lines = try await ReadmeSamples.segments(whisper, speech.file.path)
        #expect(lines.count >= 3)
        #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix("[") && $0.contains("s -> ") })
    }

    /// The nano model may write another word, but not none of the sentence.
    private func expectSentence(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(text.lowercased().contains("tomorrow"), "\(text)", sourceLocation: sourceLocation)
    }

    @Test func pollingAndDelegate() async throws {
        // 30 ms, as from a microphone.
        let chunks = Recordings.chunks(try await decoded(Fixtures.file("sounds/tomorrow.wav")), length: 480)
        try await with(Fixtures.nano) {
            expectSentence(try await ReadmeSamples.pollingText(Recordings.stream(chunks)))
            let delegate = ReadmeSamples.MyDelegate()
            expectSentence(try await ReadmeSamples.delegate(chunks, delegate).map(\.text).joined())
            #expect(delegate.lines.last == "Streaming finished")
            expectSentence(delegate.lines.dropLast().map(words).joined())
        }
    }

    /// The text after the bracketed times.
    private func words(_ line: String) -> String { String(line.drop { $0 != "]" }.dropFirst(2)) }

    @Test func errorHandling() async throws {
        #expect(await ReadmeSamples.errorHandling(SwiftFasterWhisper(), [0]) == "not loaded")
        let whisper = try await Recordings.whisper(Fixtures.nano)
        #expect(await ReadmeSamples.errorHandling(whisper, []) == "empty or invalid")
        #expect(await ReadmeSamples.errorHandling(whisper, [.nan]) == "empty or invalid")
        #expect(await ReadmeSamples.errorHandling(whisper, [Float](repeating: 0, count: 32_000)) == "")
    }

    @Test func modelManagement() throws {
        let folder = try TemporaryFolder()
        try folder.addModel("medium", bytes: 2 << 20)
        try ModelFinder.$current.withValue(ModelFinder(folder)) {
            let found = try ReadmeSamples.management()
            #expect(found.exists && found.megabytes == 2)
            #expect(!ModelManager.modelExists(name: "whisper-medium-ct2"))
        }
        #expect(Set(ReadmeSamples.sizes).count == 5)
    }
}
