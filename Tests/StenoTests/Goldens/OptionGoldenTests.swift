import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno

/// One option of faster-whisper changed at a time: the same tokens, times and words.
///
/// Half of them on the small test model and a tenth on Whisper base; `STENO_LONG=1` runs all.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
struct OptionGoldenTests {
    /// The goldens of a model that are compared, and the model.
    private struct Goldens: Sendable {
        /// By their recordings: a file, or several with a + between their names.
        let files: [String: [(key: String, value: TranscriptionGoldens.File)]]
        let transcriber: Task<Transcriber, any Error>

        /// Of what the goldens hold, sorted by their names, every `step`-th is compared.
        init(_ name: String, every step: Int = 1, model: @escaping @Sendable () throws -> URL) {
            let all = (try? TranscriptionGoldens(name).files.sorted { $0.key < $1.key }) ?? []
            let compared = all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
            files = Dictionary(grouping: compared) { $0.value.file ?? "" }
            transcriber = Task { try await Transcriber.load(try model(), precision: .float32, threads: 1) }
        }

        var count: Int { files.values.reduce(0) { $0 + $1.count } }
        var recordings: [String] { files.keys.sorted() }
    }

    private static let ofNano = Goldens("nano-options", every: isLong ? 1 : 2) { Fixtures.nano }
    private static let ofWhisperBase = Goldens("base-bundled-options", every: isLong ? 1 : 10) {
        try BundledModel.folder
    }

    @Test func theGoldensAreThere() {
        #expect(Self.ofNano.count >= (isLong ? 184 : 92) && Self.ofWhisperBase.count >= (isLong ? 140 : 10))
    }

    @Test(arguments: ofNano.recordings) func nano(recording: String) async throws {
        try await check(Self.ofNano, recording)
    }

    @Test(arguments: ofWhisperBase.recordings) func whisperBase(recording: String) async throws {
        try await check(Self.ofWhisperBase, recording)
    }

    private func check(_ goldens: Goldens, _ recording: String) async throws {
        let transcriber = try await goldens.transcriber.value
        var samples: [Float] = []
        for name in recording.split(separator: "+") {
            samples += try await decoded(TranscriptionGoldens.url(String(name)))
        }
        var words = GoldenWordCount()
        for (key, golden) in try #require(goldens.files[recording]) {
            let options = try #require(golden.options).options
            golden.expect(try await transcriber.transcribe(samples: samples, options: options), key, &words)
        }
        #expect(words.near == words.all, "\(words)")
    }
}
