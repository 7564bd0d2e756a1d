import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// CAM++ on bundled recordings, compared with torch.
@Suite(.enabled(if: speakerNetworks != nil, "STENO_SPEAKER_NETWORKS does not name the folder of the weights"))
struct PublishedCAMPlusTests {
    private func expectEqual(
        _ precision: Precision, _ isEqual: (_ found: [Float], _ expected: [Float]) -> Bool
    ) throws {
        let goldens = try SpeakerNetworkGoldens.shared.get()
        let state = try CAMPlusModel.load(#require(publishedNetwork("campplus")), precision: precision).makeState()
        let bank = try KaldiFilterBank()
        for output in goldens.outputs(of: "published/camplus/") {
            let rows = try bank.features(SpeakerNetworkGoldens.samples(output.parts[2], output)).prefix(998 * 80)
            let picked = output.parts.count > 3 ? SpeakerNetworkGoldens.picked(rows.count / 80) : nil
            let found = try rows.withUnsafeBufferPointer { try #require(state.values(of: $0, picking: picked)) }
            #expect(isEqual(found, goldens.values(of: output)), "\(output.name)")
        }
    }

    @Test func valuesEqualTheReference() throws {
        try expectEqual(.float32) { largestDistance($0, $1) < 1e-4 }
    }

    /// Windows of 1.6 s of one voice are more alike than those of two.
    @Test func windowsOfAVoice() throws {
        let state = try CAMPlusModel.load(#require(publishedNetwork("campplus"))).makeState(),
            bank = try KaldiFilterBank()
        func embeddings(_ name: String) throws -> [SpeakerEmbedding] {
            let samples = try TestAudio.samplesOfPlainWAV(Fixtures.bundledSample(name))
            return try [0, 1].map { second in
                let rows = bank.features(Array(samples[second * 16_000..<second * 16_000 + 25_600]))
                return try #require(rows.withUnsafeBufferPointer { state.embedding(of: $0) })
            }
        }
        let found = try embeddings("inaugural-1961.wav") + embeddings("es-pangrama.wav")
        #expect(found.allSatisfy { abs($0.dot($0) - 1) < 1e-5 })
        #expect(found[0].dot(found[1]) > found[0].dot(found[2]) + 0.1)
    }
}
