import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeakers

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
