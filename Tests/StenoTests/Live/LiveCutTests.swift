import Foundation
import StenoBundledModel
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoEvaluation

/// Wherever a recording is cut off, `finish()` brings its last words, with a real model as with a script.
///
/// A word was surely said if it ended 0.3 s before the cut, by the recordings' known word times, and can be understood if
/// the same model finds it in the same cut audio as a file. Of the last three words, none that is both may be missing from
/// the final text. A right word between wrong ones does not count as understood: it may be another's "a". In a few cuts a
/// different word may take its place: a sentence cut in the middle can be taken for another one, and an utterance alone is
/// not decoded as the file is.
///
/// 20 cuts; 200 with `STENO_LONG=1`, and 200 more of real speech on Whisper base.
@Suite(
    .serialized,
    .enabled(if: hasFFmpeg, "ffmpeg is not installed"))
struct LiveCutTests {
    private static let margin = 0.3
    private static let tail = 3
    /// The cuts in which a word may be transcribed differently.
    private static let mostDifferent = isLong ? 5 : 0

    @Test func nano() async throws {
        // It guesses sentences ahead of the speaker: nothing may be final early
        // (Documentation/Project/LiveMeasurements.md).
        let options = LiveOptions(balance: .accurate).with {
            ($0.contextTokens, $0.showAfter, $0.step) = (0, 5, 0.4)
        }
        // In float32, so that every machine gives the same text: what is examined is when words become final.
        try await check("nano-eval", on: Fixtures.nano, .float32, cuts: isLong ? 200 : 20, options)
    }

    @Test(.enabled(if: isLong, "STENO_LONG is not set")) func whisperBase() async throws {
        try await check("speech", on: try BundledModel.folder, .automatic, cuts: 200, LiveOptions())
    }

    private func check(
        _ folder: String, on model: URL, _ precision: Precision, cuts: Int, _ options: LiveOptions
    ) async throws {
        let recordings = try CutRecording.load(Fixtures.file(folder))
        let transcriber = try await Transcriber.load(model, precision: precision)
        let scorer = try TextScorer()
        var random = SplitMix64(seed: 200)
        var (words, lost, different) = (0, [String](), [String]())
        for number in 0..<cuts {
            let recording = try #require(recordings.randomElement(using: &random))
            let sound = try await decoded(Fixtures.file("\(folder)/\(recording.file)"))
            let cut = Int.random(in: 1...sound.count, using: &random)
            let heard = Array(sound[..<cut])
            let options = options.with { $0.language = recording.language }
            // Appended in chunks of any size, as fast as they are accepted.
            let engine = try ModelEngine(model: transcriber.model, options: options, pace: .fast)
            let events = try await engine.events(hearing: heard) { Int.random(in: 160...16_000, using: &random) }
            expectOrder(of: events, "cut \(number)")
            let language = try #require(recording.language)
            let said = recording.words(endingBy: cut.seconds - Self.margin).joined(separator: " ")
            let offline = try await transcriber.transcribe(
                samples: heard, options: TranscriptionOptions(language: language)
            ).text
            let final = events.transcript.finalText
            let known = scorer.steps(said, offline, language).understood.suffix(Self.tail)
            let live = scorer.steps(said, final, language).suffix(Self.tail)
            words += known.count { $0 }
            let fates = zip(known, live).filter(\.0).map(\.1)
            let report = """
                \(recording.file) cut at \(cut.seconds) s: said “\(said.suffix(80))”, \
                offline “\(offline.suffix(80))”, live “\(final.suffix(80))”
                """
            if fates.contains(.deletion) {
                lost.append(report)
            } else if fates.contains(.substitution) {
                different.append(report)
            }
        }
        if isLong {
            print("\(folder): \(words) last words; of \(cuts) cuts \(lost.count) lost one, \(different.count) differ")
            print((lost + different).joined(separator: "\n"))
        }
        #expect(lost.isEmpty, "\(lost.joined(separator: "\n"))")
        #expect(different.count <= Self.mostDifferent, "\(different.joined(separator: "\n"))")
    }
}

/// A recording and when each of its words was said.
private struct CutRecording: Decodable {
    private struct Segment: Decodable {
        struct Word: Decodable {
            let word: String
            let end: Double?
        }
        let words: [Word]?
    }

    let file: String
    let language: String?
    private let segments: [Segment]

    /// The recordings of a folder whose word times are known.
    static func load(_ folder: URL) throws -> [CutRecording] {
        let manifest = try String(contentsOf: folder.appendingPathComponent("manifest.jsonl"), encoding: .utf8)
        return try manifest.split(separator: "\n")
            .map { try JSONDecoder().decode(CutRecording.self, from: Data($0.utf8)) }
            .filter { $0.language != nil && $0.segments.allSatisfy { $0.words != nil } }
    }

    func words(endingBy time: Double) -> [String] {
        segments.flatMap { $0.words ?? [] }.prefix { ($0.end ?? .infinity) <= time }.map(\.word)
    }
}

extension TextScorer {
    /// The outcome of each reference word: hit, substitution or deletion.
    fileprivate func steps(_ said: String, _ heard: String, _ language: String) -> [EditAlignment.Step] {
        let score = score(reference: said, hypothesis: heard, language: language)
        let alignment = EditAlignment(
            reference: score.reference.split(separator: " "), hypothesis: score.hypothesis.split(separator: " "))
        return alignment.steps.filter { $0 != .insertion }
    }
}

extension [EditAlignment.Step] {
    /// Which words are hits next to another hit.
    fileprivate var understood: [Bool] {
        indices.map { index in
            let beside = [index - 1, index + 1].filter(indices.contains)
            return self[index] == .hit && (beside.isEmpty || beside.contains { self[$0] == .hit })
        }
    }
}
