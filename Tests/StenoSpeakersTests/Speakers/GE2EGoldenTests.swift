import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// The voice encoder on the bundled samples, compared with Resemblyzer.
struct GE2EGoldenTests {
    private struct Goldens: Decodable {
        struct Recording: Decodable {
            let audio: String
            let count: Int
            let sha256: String
            let starts: [Int]
            let values: Data

            /// The embedding of the whole recording, then those of its windows.
            var embeddings: [SpeakerEmbedding] {
                let numbers = values.withUnsafeBytes { bytes in
                    bytes.bindMemory(to: Int16.self).map { Float(Int16(littleEndian: $0)) / 32767 }
                }
                return stride(from: 0, to: numbers.count, by: 256).map {
                    SpeakerEmbedding(Array(numbers[$0..<$0 + 256]))
                }
            }
        }
        let recordings: [Recording]
    }

    @Test func embeddingsEqualTheReference() throws {
        let goldens = try JSONDecoder().decode(
            Goldens.self, from: Data(contentsOf: Fixtures.file("speakers").appendingPathComponent("embeddings.json")))
        let encoder = try GE2EEncoder(BundledSpeakerEncoder.model())
        var count = 0
        for golden in goldens.recordings {
            let samples = try TestAudio.samplesOfPlainWAV(Fixtures.bundledSample(golden.audio))
            #expect(SHA256.fingerprint(of: samples) == golden.sha256, "\(golden.audio) has other samples")
            let windows = windows(of: raised(samples), starts: golden.starts, length: encoder.windowLength)
            let found = encoder.embeddings(of: windows)
            let whole = try #require(SpeakerEmbedding.mean(found))
            for (embedding, reference) in zip([whole] + found, golden.embeddings) {
                let cosine = embedding.cosine(reference)
                #expect(cosine >= 0.9999, "\(golden.audio): \(cosine)")
                #expect(abs(embedding.dot(embedding) - 1) < 1e-4)
            }
            count += found.count
        }
        #expect(count == 25)
    }

    @Test func anEmbeddingDoesNotDependOnTheBatch() throws {
        let encoder = try GE2EEncoder(BundledSpeakerEncoder.model())
        var noise = SplitMix64(seed: 7)
        let windows = (0..<encoder.batch + 3).map { _ in
            (0..<encoder.windowLength).map { _ in Float(noise.next() >> 40) / 80_000_000 }
        }
        let together = encoder.embeddings(of: windows)
        let alone = encoder.embeddings(of: [windows[encoder.batch]])
        #expect(together[encoder.batch].cosine(alone[0]) > 0.99999)
        #expect(together[0].cosine(together[1]) < 0.99999)
    }

    @Test func samplesThatAreNotFiniteGiveFiniteEmbeddings() throws {
        let encoder = try GE2EEncoder(BundledSpeakerEncoder.model())
        var window = [Float](repeating: 0.01, count: encoder.windowLength)
        window[1000] = .nan
        window[2000] = .infinity
        #expect(encoder.embeddings(of: [window])[0].values.allSatisfy { $0.isFinite })
    }

    @Test func otherNetworksAreRefused() throws {
        #expect(throws: StenoError.self) { try GE2EModel(file: VoiceActivityGoldens.silero) }
        let bundled = "Sources/StenoSpeakers/Resources/speaker-encoder/model.safetensors"
        var bytes = try Data(contentsOf: Fixtures.root.appendingPathComponent(bundled))
        // The last value, a float16, becomes NaN.
        bytes.replaceSubrange(bytes.count - 2..<bytes.count, with: [0x00, 0x7E])
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("model.safetensors")
        try bytes.write(to: file)
        let error = #expect(throws: StenoError.self) { try GE2EModel(file: file) }
        #expect(error?.code == .modelDamaged)
    }

    /// Resemblyzer's `normalize_volume`.
    private func raised(_ samples: [Float]) -> [Float] {
        let level = 10 * log10(samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count))
        let gain = Float(pow(10, max(0, -30 - level) / 20))
        return samples.map { $0 * gain }
    }

    /// The samples of windows of 160 frames; a frame is centred on its time, and silence surrounds the recording.
    private func windows(of samples: [Float], starts: [Int], length: Int) -> [[Float]] {
        let padded = [Float](repeating: 0, count: 200) + samples + [Float](repeating: 0, count: length)
        return starts.map { Array(padded[$0..<$0 + length]) }
    }
}
