import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoVoiceActivity
@testable import StenoWhisper

/// Whisper base on sentences with long noise between them: its hallucinations, without and with guards.
@Suite(.serialized, .needsFFmpeg, .timeLimit(.minutes(60))) struct GuardedTranscriptTests {
    private static let transcriber = GoldenModels.whisperBaseInt8
    /// A part of each sentence.
    private static let parts = [
        "bring the tickets", "since last winter", "delayed by nearly an hour", "from the railing", "through the fog",
    ]

    /// Five sentences, with a hiss of 8 to 31 s after each; and where they are.
    private static let sound = Task {
        var samples: [Float] = []
        var spans: [Range<Double>] = []
        for (number, seconds) in zip([0, 7, 14, 21, 28], [12, 25, 8, 31, 15]) {
            let sentence = try await decoded(Fixtures.file(String(format: "speech/en-%03d.flac", number)))
            let start = Double(samples.count) / 16000
            spans.append(start..<start + Double(sentence.count) / 16000)
            samples += sentence
            samples += TestAudio.noise(seed: UInt64(number), count: seconds * 16000, gain: 0.005)
        }
        return (samples: samples, spans: spans)
    }

    private static func options(_ change: (inout TranscriptionOptions) -> Void) -> TranscriptionOptions {
        TranscriptionOptions(language: "en", wordTimestamps: true).with { $0.whisper.beamSize = 1 }.with(change)
    }

    private static func transcript(_ change: (inout TranscriptionOptions) -> Void) async throws -> Transcript {
        try await transcriber.value.transcribe(samples: sound.value.samples, options: options(change))
    }

    /// With guards alone.
    private static let guarded = Task { try await transcript { $0.whisper.guards = GuardOptions() } }

    /// The words more than half a second away from every sentence.
    private func strays(_ transcript: Transcript) async throws -> [String] {
        let spans = try await Self.sound.value.spans.map { $0.lowerBound - 0.5...$0.upperBound + 0.5 }
        let words: [Word] = transcript.segments.flatMap { $0.words ?? [] }
        return words.filter { word in
            let middle = (word.start + word.end) / 2
            return !spans.contains { $0.contains(middle) }
        }.map(\.rawText)
    }

    private func expectNothingButSentences(_ transcript: Transcript) async throws {
        #expect(try await strays(transcript) == [])
        for part in Self.parts { #expect(transcript.text.contains(part), "\(part)") }
        // Removed words are not in the text, which is that of the segments.
        let joined: String = transcript.segments.map(\.text).joined()
        #expect(transcript.text == String(joined.drop { $0 == " " }))
    }

    /// Without this, the next tests would prove nothing.
    @Test func withoutGuardsWordsAppearInTheNoise() async throws {
        let transcript = try await Self.transcript { _ in }
        #expect(try await strays(transcript).count > 5)
        #expect(transcript.guards == nil)
    }

    @Test func guardsRemoveThemAndKeepEverySentence() async throws {
        let transcript = try await Self.guarded.value
        try await expectNothingButSentences(transcript)
        #expect(transcript.segments.count == 5)
        let guards = try #require(transcript.guards)
        let spans = try await Self.sound.value.spans
        #expect(!guards.isEmpty)
        for action in guards {
            #expect(action.end >= action.start && !action.text.isEmpty && action.reason.contains("speech"))
            #expect(!spans.contains { $0.contains((action.start + action.end) / 2) }, "\(action.text)")
        }
    }

    @Test(arguments: [nil, GuardOptions()])
    func voiceActivityLeavesNoWordsInTheNoiseEither(guards: GuardOptions?) async throws {
        let transcript = try await Self.transcript {
            ($0.whisper.guards, $0.whisper.voiceActivity) = (guards, VoiceActivityOptions())
        }
        try await expectNothingButSentences(transcript)
        #expect(transcript.durationAfterVoiceActivity.map { $0 < transcript.duration / 2 } == true)
    }

    /// The audio as one span, twice in a batch: each text equals the sequential one.
    @Test func batchedWindowsAreGuarded() async throws {
        let samples = try await Self.sound.value.samples
        let options = Self.options {
            ($0.batchSize, $0.whisper.guards, $0.clips) = (2, GuardOptions(), [0..<(.infinity)])
        }
        let files = (0..<2).map { URL(fileURLWithPath: "\($0)") }
        var count = 0
        let transcriber = try await Self.transcriber.value
        for try await done in transcriber.transcripts(
            files: files, options: options, open: { _ in ArraySampleSource(samples) })
        {
            #expect(try await done.result.get() == Self.guarded.value)
            count += 1
        }
        #expect(count == 2)
    }

    /// On the first sentence and the hiss after it.
    @Test func guardsComputeWordTimesThemselves() async throws {
        let options = Self.options { ($0.whisper.guards, $0.wordTimestamps) = (GuardOptions(), false) }
        let samples = Array(try await Self.sound.value.samples.prefix(16 * 16_000))
        let segments = try await Self.transcriber.value.transcribe(samples: samples, options: options).segments
        #expect(!segments.isEmpty && segments.allSatisfy { $0.words?.isEmpty == false })
    }

    /// A pipe is checked while it is read, since it cannot be read twice.
    @Test func pipesAreGuardedToo() async throws {
        let samples = try await Self.sound.value.samples
        let options = Self.options { $0.whisper.guards = GuardOptions() }
        let transcript = try await Self.transcriber.value.transcribe(options: options) { TestSources.Pipe(samples) }
        try await expectNothingButSentences(transcript)
    }

    @Test func clearSpeechLosesNothing() async throws {
        let sound = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
        var options = TranscriptionOptions(language: "en", wordTimestamps: true)
        let plain = try await Self.transcriber.value.transcribe(file: sound, options: options)
        options.whisper.guards = GuardOptions()
        let guarded = try await Self.transcriber.value.transcribe(file: sound, options: options)
        #expect(guarded.segments == plain.segments)
        #expect(guarded.guards == [])
    }
}
