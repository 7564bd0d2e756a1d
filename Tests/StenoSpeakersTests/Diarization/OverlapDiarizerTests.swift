import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// Turns from audio in which voices are levels, which add up.
struct OverlapDiarizerTests {
    private func diarizer() -> OverlapDiarizer {
        OverlapDiarizer(segmentation: LevelNetworks.Segmentation(), embedding: LevelNetworks.Voices())
    }

    private func diarize(
        _ samples: [Float], counts: ClosedRange<Int>? = nil, chunk: Int = 16_000
    ) -> Diarization {
        let diarizer = diarizer()
        samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: chunk) {
                diarizer.append(UnsafeBufferPointer(rebasing: samples[start..<min(start + chunk, samples.count)]))
            }
        }
        return diarizer.finish(counts: counts)
    }

    /// Two people who interrupt each other, 42 s.
    private static let talk = LevelNetworks.audio([
        ([], 16_000), ([0], 80_000), ([0, 1], 16_000), ([1], 120_000), ([], 20_000), ([0], 100_000), ([0, 1], 8_000),
        ([0], 100_000), ([1], 120_000), ([0, 1], 32_000), ([0], 60_000),
    ])
    private static let found = OverlapDiarizerTests().diarize(talk)

    private func expect(_ found: Diarization, _ turns: [(voice: Int, start: Int, end: Int)]) {
        #expect(found.turns.map(\.voice) == turns.map(\.voice))
        for (turn, expected) in zip(found.turns, turns) {
            // The level is averaged over four frames on either side, and a moment's voice over 1.5 s.
            let isNear =
                abs(turn.range.lowerBound - expected.start) <= 3000
                && abs(turn.range.upperBound - expected.end) <= 3000
            #expect(isNear, "\(turn.range), not \(expected.start)..<\(expected.end)")
        }
    }

    @Test func turnsOverlapWhereTwoSpeak() {
        let found = Self.found
        #expect(found.voices.count == 2)
        expect(
            found,
            [
                (0, 16_000, 112_000), (1, 96_000, 232_000), (0, 252_000, 460_000), (1, 352_000, 360_000),
                (1, 460_000, 612_000), (0, 580_000, 672_000),
            ])
        #expect(abs(found.voices[1].seconds - 18.5) < 0.1)
    }

    @Test(arguments: [160, 7777, 1_000_000]) func turnsDoNotDependOnTheChunks(chunk: Int) {
        #expect(diarize(Self.talk, chunk: chunk).turns == Self.found.turns)
    }

    @Test func theNumberOfSpeakersCanBeGiven() {
        #expect(diarize(Self.talk, counts: 1...1).voices.count == 1)
        #expect(diarize(Self.talk, counts: 2...2).turns == Self.found.turns)
        #expect(diarize(Self.talk, counts: 2...6).voices.count == 2)
        // A window has at most three local speakers, a recording more.
        let parts = [0, 1, 2, 3, 0, 2, 1, 3].map { (voices: [$0], samples: 96_000) }
        let found = diarize(LevelNetworks.audio([([], 60_000)] + parts))
        #expect(found.turns.map(\.voice) == [0, 1, 2, 3, 0, 2, 1, 3])
    }

    @Test(arguments: [1, 500, 991, 16_000, 159_900, 160_000, 160_001, 208_000])
    func anyLengthIsHeardToItsEnd(samples: Int) {
        let found = diarize(LevelNetworks.audio([([0], samples)]))
        guard samples > 5_000 else { return #expect(found.voices.count <= 1) }
        expect(found, [(0, 0, samples)])
    }

    @Test func silenceHasNoTurns() {
        #expect(diarize([]).turns.isEmpty)
        let found = diarize(LevelNetworks.audio([([], 400_000)]), counts: 2...2)
        #expect(found.turns.isEmpty && found.voices.isEmpty)
    }

    @Test func samplesThatAreNotFiniteAreSilence() {
        let found = diarize([Float](repeating: .nan, count: 32_000) + LevelNetworks.audio([([0], 200_000)]))
        expect(found, [(0, 32_000, 232_000)])
    }

    @Test func theAudioKeptDoesNotGrow() {
        let diarizer = diarizer()
        var most = 0
        for second in 0..<70 {
            let audio = LevelNetworks.audio([([second / 7 % 2], 16_000)])
            audio.withUnsafeBufferPointer { diarizer.append($0) }
            if second == 40 { most = diarizer.keptSamples + 160_000 }
            if second > 40 { #expect(diarizer.keptSamples <= max(most, 1_000_000)) }
        }
        #expect(diarizer.finish().voices.count == 2)
    }
}

/// The turns of a conversation of three readers, from what the networks said about it: the same as those of
/// `Tools/goldens/make_diarization_goldens.py`.
struct OverlapParityTests {
    private struct Conversation: Decodable {
        var samples: Int
        var starts: [Int]
        /// The window, the local speaker and the number of frames of each voice.
        var voices: [[Int]]
        /// Whether each moment has a voice.
        var moments: [Bool]
        /// The first frame, the frame after the last one and the speaker of each turn, by the number of speakers.
        var turns: [String: [[Int]]]
    }

    private static let folder = Fixtures.folder.appendingPathComponent("diarization")
    private let conversation: Conversation
    private let heard: HeardSpeech

    init() throws {
        func bytes(_ name: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
        }
        let conversation = try JSONDecoder().decode(Conversation.self, from: Data(bytes("conversation.json")))
        let (likelihoods, speaking) = (try bytes("likelihoods.u8"), try bytes("speaking.u8"))
        let frames = speaking.count / conversation.starts.count
        let windows = conversation.starts.enumerated().map { index, first in
            LocalActivity(
                first: first, likelihoods: Array(likelihoods[index * frames * 3..<(index + 1) * frames * 3]),
                speaking: Array(speaking[index * frames..<(index + 1) * frames]))
        }
        var embeddings = Self.embeddings(try bytes("embeddings.i16"))[...]
        let voices = conversation.voices.compactMap { voice in
            embeddings.popFirst().map {
                LocalVoice(window: voice[0], speaker: voice[1], frames: voice[2], embedding: $0)
            }
        }
        let moments = conversation.moments.map { $0 ? embeddings.popFirst() : nil }
        heard = HeardSpeech(
            windows: windows, voices: voices,
            moments: VoiceMoments(step: OverlapSettings().momentStep, voices: moments),
            levels: FrameLevels(means: try bytes("means.u8"), peaks: try bytes("peaks.u8")),
            sampleCount: conversation.samples)
        self.conversation = conversation
    }

    private static func embeddings(_ bytes: [UInt8]) -> [SpeakerEmbedding] {
        let width = 2 * CAMPlusModel.width
        return stride(from: 0, to: bytes.count, by: width).map { start in
            let values = stride(from: start, to: start + width, by: 2).map { place in
                Float(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
            }
            return SpeakerEmbedding(values).normalized
        }
    }

    @Test(arguments: ["auto", "1", "2", "4", "6"]) func theTurnsAreTheReferences(count: String) throws {
        let found = Diarization(
            heard, counts: Int(count).map { $0...$0 }, settings: OverlapSettings())
        let expected = try #require(conversation.turns[count])
        // A frame's span begins 135 samples before its centre, 495 + 270 k.
        let turns = found.turns.map { turn in
            [(turn.range.lowerBound - 360) / 270, (turn.range.upperBound - 360) / 270, turn.voice]
        }
        #expect(turns == expected)
        #expect(found.voices.count == Set(expected.map { $0[2] }).count)
    }
}
