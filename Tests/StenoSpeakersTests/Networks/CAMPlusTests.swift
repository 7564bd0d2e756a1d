import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// A small CAM++ network with random weights, compared with torch.
struct CAMPlusTests {
    private let goldens: SpeakerNetworkGoldens
    private let network: RandomNetwork
    private let folder: TemporaryFolder

    init() throws {
        goldens = try SpeakerNetworkGoldens.shared.get()
        network = try RandomNetwork("camplus")
        folder = try TemporaryFolder()
    }

    private func load(
        _ network: RandomNetwork, precision: Precision = .float32, threads: Int = 1
    ) throws -> CAMPlusModel {
        try CAMPlusModel(network.write(to: folder), shape: .small, precision: precision, threads: threads)
    }

    private func rows(_ count: Int) -> [Float] {
        goldens.uniform("rows-\(count)", count: count * 16, centre: -4, span: 3)
    }

    private func values(_ state: CAMPlusState, _ output: SpeakerNetworkGoldens.Output) throws -> [Float] {
        let count = try #require(Int(output.parts[2]))
        let picked = output.parts.count > 3 ? SpeakerNetworkGoldens.picked(count) : nil
        return try rows(count).withUnsafeBufferPointer { try #require(state.values(of: $0, picking: picked)) }
    }

    /// With every number of threads, and in any order: a shorter voice after a longer one.
    @Test(arguments: [1, 2, 5]) func valuesEqualTheDefinition(threads: Int) throws {
        let state = try load(network, threads: threads).makeState(frames: 451)
        let outputs = goldens.outputs(of: "small/camplus/")
        for output in outputs + outputs.reversed() {
            let found = try values(state, output)
            #expect(largestDistance(found, goldens.values(of: output)) < 1e-4, "\(output.name)")
        }
    }

    @Test func int8IsClose() throws {
        let state = try load(network, precision: .int8).makeState(frames: 451)
        for output in goldens.outputs(of: "small/camplus/") where output.parts[2] != "1" {
            let found = SpeakerEmbedding(try values(state, output))
            #expect(found.cosine(SpeakerEmbedding(goldens.values(of: output))) > 0.999, "\(output.name)")
        }
    }

    @Test func embeddingsHaveLengthOne() throws {
        let state = try load(network).makeState(frames: 60)
        let embedding = try #require(rows(50).withUnsafeBufferPointer { state.embedding(of: $0) })
        #expect(abs(embedding.dot(embedding) - 1) < 1e-5)
    }

    @Test func noRowsHaveNoVoice() throws {
        let state = try load(network).makeState(frames: 10)
        #expect([Float]().withUnsafeBufferPointer { state.embedding(of: $0) } == nil)
        let none = [Bool](repeating: false, count: 50)
        #expect(rows(50).withUnsafeBufferPointer { state.embedding(of: $0, picking: none) } == nil)
    }

    /// Of more rows than there is memory for, the first ones are used.
    @Test func longVoicesAreCut() throws {
        let state = try load(network).makeState(frames: 30)
        let found = rows(50).withUnsafeBufferPointer { state.embedding(of: $0) }
        let first = Array(rows(50).prefix(30 * 16)).withUnsafeBufferPointer { state.embedding(of: $0) }
        #expect(found != nil && found == first)
    }

    @Test func damagedNetworksAreRefused() throws {
        #expect(throws: StenoError.self) { try CAMPlusModel.load(VoiceActivityGoldens.silero) }
        let small = try network.write(to: folder)
        let error = #expect(throws: StenoError.self) { try CAMPlusModel.load(small) }
        #expect(error?.code == .modelUnsupported)
        // Damaged networks are refused.
        for name in network.values.keys {
            var missing = network, damaged = network
            missing.values[name] = nil
            damaged.values[name]?[0] = .nan
            for (network, code) in [(missing, StenoError.Code.modelUnsupported), (damaged, .modelDamaged)] {
                #expect(#expect(throws: StenoError.self) { try load(network) }?.code == code, "\(name)")
            }
        }
        var negative = network
        negative.values["head.bn1.running_var"]?[0] = -1
        #expect(#expect(throws: StenoError.self) { try load(negative) }?.code == .modelDamaged)
    }
}

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

struct KaldiFilterBankTests {
    @Test func equalsTheDefinition() throws {
        let goldens = try SpeakerNetworkGoldens.shared.get()
        let output = try #require(goldens.outputs(of: "filterbank").first)
        var samples = goldens.uniform("samples", count: 2_000, centre: 0.01, span: 0.3)
        // Quiet at the end, where the smallest energy counts.
        for index in 1_200..<2_000 { samples[index] *= 1e-4 }
        let found = try KaldiFilterBank().features(samples)
        #expect(largestDistance(found, goldens.values(of: output)) < 1e-4)
    }

    /// A row depends on its own frame alone.
    @Test func rowsDoNotDependOnOthers() throws {
        let samples = TestAudio.noise(seed: 5, count: 160 * 200 + 400, gain: 0.2)
        let bank = try KaldiFilterBank()
        let all = bank.features(samples)
        #expect(all.count == 201 * KaldiFilterBank.bands)
        let one = bank.features(Array(samples[160 * 150..<160 * 150 + 400]))
        #expect(one == Array(all[150 * 80..<151 * 80]))
    }

    @Test func framesAreWhole() throws {
        for (samples, frames) in [(0, 0), (399, 0), (400, 1), (559, 1), (560, 2), (160_000, 998)] {
            #expect(KaldiFilterBank.frames(in: samples) == frames)
        }
        #expect(try KaldiFilterBank().features([Float](repeating: 0, count: 399)).isEmpty)
        // Samples that are not finite give finite rows.
        var samples = [Float](repeating: 0.1, count: 800)
        samples[300] = .nan
        samples[500] = -.infinity
        #expect(try KaldiFilterBank().features(samples).allSatisfy { $0.isFinite })
    }
}
