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

    /// The network's values for an output of the script.
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

    @Test func otherNetworksAreRefused() throws {
        #expect(throws: StenoError.self) { try CAMPlusModel.load(VoiceActivityGoldens.silero) }
        let small = try network.write(to: folder)
        let error = #expect(throws: StenoError.self) { try CAMPlusModel.load(small) }
        #expect(error?.code == .modelUnsupported)
    }

    @Test func damagedNetworksAreRefused() throws {
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
