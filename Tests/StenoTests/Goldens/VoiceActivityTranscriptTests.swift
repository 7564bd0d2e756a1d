import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoVoiceActivity
@testable import StenoWhisper

/// Transcripts of detected speech, compared with those of faster-whisper with `vad_filter=True`.
///
/// `STENO_LONG=1` adds what takes minutes: beams, more options and four minutes of talk on Whisper base.
@Suite(.needsFFmpeg, .timeLimit(.minutes(60))) struct VoiceActivityTranscriptTests {
    struct Golden: Decodable {
        struct Heard: Decodable {
            struct Word: Decodable { let word: String, start: Double, end: Double }
            let start: Double, end: Double
            let tokens: [Int]
            let words: [Word]?
        }

        let model: String
        let sound: String
        let beam_size: Int
        let options: Options
        let duration: Double
        let duration_after_vad: Double
        let segments: [Heard]

        /// On Whisper base, most options are compared on the shorter recording.
        var isQuick: Bool {
            let isPlain = options.word_timestamps == true && options.vad_parameters == nil
            return model == "nano" || beam_size == 1 && (sound == "gaps" || sound == "readers" && isPlain)
        }
    }

    /// faster-whisper's names.
    struct Options: Decodable {
        let word_timestamps: Bool?
        let vad_parameters: VoiceActivityGoldens.Setting?
    }

    private struct File: Decodable { let transcripts: [Golden] }

    private static let goldens = Result {
        let data = try Data(contentsOf: VoiceActivityGoldens.folder.appendingPathComponent("transcripts.json"))
        return try JSONDecoder().decode(File.self, from: data).transcripts
    }
    /// The goldens that are compared each time, and those that take minutes.
    private static let quick = indices { $0.isQuick }
    private static let slow = indices { !$0.isQuick }

    private static func indices(_ isWanted: (Golden) -> Bool) -> [Int] {
        ((try? goldens.get()) ?? []).enumerated().filter { isWanted($0.element) }.map(\.offset)
    }

    private static let gaps = Task { try await VoiceActivityRecordings.gaps(sentences()) }
    /// Twenty sentences of fifteen people, one after the other.
    private static let readers = Task {
        let folder = Fixtures.file("readers")
        var samples: [Float] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        where name.hasSuffix(".flac") {
            samples += try await decoded(folder.appendingPathComponent(name))
        }
        return samples
    }

    @Test func theGoldensAreThere() throws {
        #expect(try Self.goldens.get().count > 15)
        #expect(Self.quick.count >= 16 && Self.slow.count > 0)
    }

    @Test(arguments: isLong ? quick + slow : quick) func tokensAndTimesAreFasterWhispers(index: Int) async throws {
        let golden = try Self.goldens.get()[index]
        let samples =
            switch golden.sound {
            case "gaps": try await Self.gaps.value
            case "readers": try await Self.readers.value
            default: try await decoded(Fixtures.root.appendingPathComponent(golden.sound))
            }
        let transcriber = try await (golden.model == "nano" ? GoldenModels.nano : GoldenModels.whisperBase).value
        let transcript = try await transcriber.transcribe(samples: samples, options: options(golden))
        expect(transcript, is: golden)
    }

    private func options(_ golden: Golden) -> TranscriptionOptions {
        var options = TranscriptionOptions(language: "en")
        options.whisper.temperatures = [0]
        options.whisper.beamSize = golden.beam_size
        options.wordTimestamps = golden.options.word_timestamps ?? false
        options.whisper.voiceActivity =
            golden.options.vad_parameters.map(VoiceActivityOptions.init) ?? VoiceActivityOptions()
        return options
    }

    private func expect(_ transcript: Transcript, is golden: Golden) {
        let name: Comment = "\(golden.model) \(golden.sound) beam \(golden.beam_size)"
        #expect(transcript.segments.map(\.tokens) == golden.segments.map(\.tokens), name)
        #expect(abs(transcript.duration - golden.duration) < 1e-9, name)
        #expect(abs((transcript.durationAfterVoiceActivity ?? 0) - golden.duration_after_vad) < 1e-9, name)
        var times: [(Double, Double)] = []
        for (ours, theirs) in zip(transcript.segments, golden.segments) {
            #expect((ours.words ?? []).map(\.rawText) == (theirs.words ?? []).map(\.word), name)
            times += zip(ours.words ?? [], theirs.words ?? []).flatMap { [($0.start, $1.start), ($0.end, $1.end)] }
            guard ours.words == nil else { continue }
            #expect(abs(ours.start - theirs.start) < 1e-3 && abs(ours.end - theirs.end) < 1e-3, name)
        }
        // The sums behind an alignment differ in the last bits, which can move a word by a position or, at a tie, more.
        let far = times.filter { abs($0 - $1) > 0.021 }
        #expect(far.count <= max(1, times.count / 100), "\(name): \(far)")
    }
}
