import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoVoice

/// The turns of a conversation of three readers, from what the networks said about it: the same as those of
/// `Tools/speakers/measure_diarization.py`.
struct OverlapParityTests {
    private struct Conversation: Decodable {
        var samples: Int
        var starts: [Int]
        /// The window, the local speaker and the number of frames of each voice.
        var voices: [[Int]]
        /// The first frame, the frame after the last one and the speaker of each turn, by the number of speakers.
        var turns: [String: [[Int]]]
    }

    private static let folder = Fixtures.folder.appendingPathComponent("diarization")
    private let conversation: Conversation
    private let windows: [LocalActivity]
    private let voices: [LocalVoice]

    init() throws {
        func bytes(_ name: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
        }
        let conversation = try JSONDecoder().decode(Conversation.self, from: Data(bytes("conversation.json")))
        let (likelihoods, speaking) = (try bytes("likelihoods.u8"), try bytes("speaking.u8"))
        let values = try bytes("embeddings.i16")
        let frames = speaking.count / conversation.starts.count
        windows = conversation.starts.enumerated().map { index, first in
            LocalActivity(
                first: first, likelihoods: Array(likelihoods[index * frames * 3..<(index + 1) * frames * 3]),
                speaking: Array(speaking[index * frames..<(index + 1) * frames]))
        }
        let width = values.count / 2 / conversation.voices.count
        voices = conversation.voices.enumerated().map { index, voice in
            let own = (index * width..<(index + 1) * width).map { place in
                Float(Int16(bitPattern: UInt16(values[2 * place]) | UInt16(values[2 * place + 1]) << 8))
            }
            return LocalVoice(
                window: voice[0], speaker: voice[1], frames: voice[2], embedding: SpeakerEmbedding(own).normalized)
        }
        self.conversation = conversation
    }

    @Test(arguments: ["auto", "1", "2", "4", "6"]) func theTurnsAreTheReferences(count: String) throws {
        let found = Diarization(
            windows: windows, voices: voices, sampleCount: conversation.samples, counts: Int(count).map { $0...$0 },
            settings: OverlapSettings())
        let expected = try #require(conversation.turns[count])
        // A frame's span begins 135 samples before its centre, 495 + 270 k.
        let turns = found.turns.map { turn in
            [(turn.range.lowerBound - 360) / 270, (turn.range.upperBound - 360) / 270, turn.voice]
        }
        #expect(turns == expected)
        #expect(found.voices.count == Set(expected.map { $0[2] }).count)
    }
}
