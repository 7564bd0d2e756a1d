import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// A small segmentation network with random weights, compared with torch.
struct SegmentationTests {
    private let goldens: SpeakerNetworkGoldens
    private let network: RandomNetwork
    private let folder: TemporaryFolder

    init() throws {
        goldens = try SpeakerNetworkGoldens.shared.get()
        network = try RandomNetwork("segmentation")
        folder = try TemporaryFolder()
    }

    private func load(
        _ network: RandomNetwork, precision: Precision = .float32, threads: Int = 1
    ) throws -> SegmentationModel {
        try SegmentationModel(network.write(to: folder), shape: .small, precision: precision, threads: threads)
    }

    /// The windows of an output, which are the same as the script's.
    private func windows(of output: SpeakerNetworkGoldens.Output) throws -> (samples: [Float], length: Int) {
        let length = try #require(Int(output.parts[2]))
        return (goldens.uniform("samples-\(length)", count: output.shape[0] * length, centre: 0, span: 0.5), length)
    }

    private func classes(
        _ state: SegmentationState, _ samples: [Float], count: Int, length: Int
    ) -> [Float] {
        samples.withUnsafeBufferPointer {
            state.classes(of: $0, starts: (0..<count).map { $0 * length }, length: length)
        }
    }

    @Test(arguments: [1, 2, 5], [1, 2, 8]) func classesEqualTheDefinition(threads: Int, windows: Int) throws {
        let model = try load(network, threads: threads)
        let state = try model.makeState(windows: windows, windowSamples: 40_001)
        for output in goldens.outputs(of: "small/segmentation/") {
            let (samples, length) = try self.windows(of: output)
            #expect(SegmentationModel.frames(in: length) == output.shape[1])
            let found = classes(state, samples, count: output.shape[0], length: length)
            #expect(largestDistance(found, goldens.values(of: output)) < 1e-4, "\(output.name)")
        }
    }

    @Test func int8IsClose() throws {
        let state = try load(network, precision: .int8).makeState(windows: 3, windowSamples: 40_001)
        for output in goldens.outputs(of: "small/segmentation/") where output.shape[1] > 2 {
            let (samples, length) = try windows(of: output)
            let found = classes(state, samples, count: output.shape[0], length: length)
            let probabilities = found.map { exp($0) }, expected = goldens.values(of: output).map { exp($0) }
            #expect(largestDistance(probabilities, expected) < 0.02, "\(output.name)")
        }
    }

    /// Windows of a recording may overlap, and their results do not depend on the others.
    @Test func windowsOverlap() throws {
        let samples = goldens.uniform("recording", count: 20_000, centre: 0, span: 0.5)
        let state = try load(network).makeState(windows: 3, windowSamples: 8_000)
        let starts = [12_000, 0, 270, 5_000]
        let together = samples.withUnsafeBufferPointer { state.classes(of: $0, starts: starts, length: 8_000) }
        let alone = starts.flatMap { state.classes(of: [Array(samples[$0..<$0 + 8_000])]) }
        #expect(largestDistance(together, alone) < 1e-5)
    }

    @Test func noWindowsHaveNoClasses() throws {
        let state = try load(network).makeState(windows: 1, windowSamples: 2_000)
        #expect(state.classes(of: []).isEmpty)
        #expect(
            [Float](repeating: 0, count: 10).withUnsafeBufferPointer {
                state.classes(of: $0, starts: [], length: 2_000)
            }.isEmpty)
    }

    @Test func silenceAndSamplesThatAreNotFiniteGiveProbabilities() throws {
        var damaged = goldens.uniform("recording", count: 8_000, centre: 0, span: 0.5)
        damaged[100] = .nan
        damaged[4_000] = .infinity
        let state = try load(network).makeState(windows: 2, windowSamples: 8_000)
        let found = state.classes(of: [damaged, [Float](repeating: 0, count: 8_000)])
        for frame in stride(from: 0, to: found.count, by: 7) {
            let sum: Float = found[frame..<frame + 7].reduce(0) { $0 + exp($1) }
            #expect(abs(sum - 1) < 1e-5)
        }
    }

    @Test func framesOfAWindow() {
        #expect(SegmentationModel.frames(in: SegmentationModel.windowSamples) == SegmentationModel.framesPerWindow)
        for samples in [0, 250, 990, 991, 1_260, 1_261, 5_000, 80_000, 159_999] {
            let expected = samples < 991 ? 0 : (samples - 991) / SegmentationModel.frameStep + 1
            #expect(SegmentationModel.frames(in: samples) == expected)
        }
    }

    @Test func damagedNetworksAreRefused() throws {
        #expect(throws: StenoError.self) { try SegmentationModel.load(VoiceActivityGoldens.silero) }
        let small = try network.write(to: folder)
        let error = #expect(throws: StenoError.self) { try SegmentationModel.load(small) }
        #expect(error?.code == .modelUnsupported)
        let nowhere = folder.url.appendingPathComponent("nowhere")
        #expect(#expect(throws: StenoError.self) { try SegmentationModel.load(nowhere) }?.code == .modelNotFound)
        // Whatever tensor is missing, has another shape or a value that is not finite, loading says so.
        for name in network.values.keys {
            var missing = network, other = network, damaged = network
            missing.values[name] = nil
            other.dimensions[name]?.append(1)
            damaged.values[name]?[0] = .nan
            for (network, code) in [
                (missing, StenoError.Code.modelUnsupported), (other, .modelUnsupported), (damaged, .modelDamaged),
            ] {
                #expect(#expect(throws: StenoError.self) { try load(network) }?.code == code, "\(name)")
            }
        }
    }
}

/// pyannote's segmentation-3.0 on bundled recordings, compared with torch.
@Suite(.enabled(if: speakerNetworks != nil, "STENO_SPEAKER_NETWORKS does not name the folder of the weights"))
struct PublishedSegmentationTests {
    @Test func classesEqualTheReference() throws {
        let goldens = try SpeakerNetworkGoldens.shared.get()
        let file = try #require(publishedNetwork("segmentation"))
        for (precision, tolerance) in [(Precision.float32, 1e-4), (.int8, 0.2)] {
            let state = try SegmentationModel.load(file, precision: precision).makeState(windows: 2)
            for output in goldens.outputs(of: "published/segmentation/") {
                let samples = try SpeakerNetworkGoldens.samples(output.parts[2], output)
                let length = samples.count >= 160_000 ? 160_000 : 40_000
                let found = state.classes(of: [Array(samples.prefix(length))])
                let expected = goldens.values(of: output)
                let distance = largestDistance(found.map { exp($0) }, expected.map { exp($0) })
                #expect(distance < tolerance, "\(output.name) \(precision): \(distance)")
                let differing = zip(Powerset.decisions(found), Powerset.decisions(expected)).count { $0 != $1 }
                #expect(differing <= (precision == .float32 ? 0 : 3 * output.shape[1] / 100), "\(output.name)")
            }
        }
    }
}

struct PowersetTests {
    @Test func theLikeliestSetDecides() {
        for (index, set) in Powerset.sets.enumerated() {
            var classes = [Float](repeating: -5, count: 7)
            classes[index] = -0.1
            #expect(Powerset.decisions(classes) == (0..<3).map(set.contains))
        }
        // Among equals the first: nobody.
        #expect(Powerset.decisions([Float](repeating: -1.9, count: 7)) == [false, false, false])
    }

    @Test func probabilitiesAreSumsOverSets() {
        let classes = [0.1, 0.2, 0.05, 0.15, 0.3, 0.08, 0.12].map { Float(log($0)) }
        let found = Powerset.probabilities(classes + classes.reversed())
        let expected = [
            0.2 + 0.3 + 0.08, 0.05 + 0.3 + 0.12, 0.15 + 0.08 + 0.12,
            0.08 + 0.05 + 0.2, 0.3 + 0.05 + 0.1, 0.15 + 0.2 + 0.1,
        ]
        for (one, other) in zip(found, expected) { #expect(abs(Double(one) - other) < 1e-6) }
        #expect(found.count == 6)
        #expect(Powerset.decisions([]).isEmpty && Powerset.probabilities([]).isEmpty)
    }
}

struct FrameRunsTests {
    @Test func everyFrameHasOneRow() {
        for dilation in 1...3 {
            for frames in 1...20 {
                let runs = FrameRuns(frames: frames, dilation: dilation)
                var rows: [Int] = []
                for run in 0..<dilation {
                    #expect(runs.rows(ofRun: run).count == Array(stride(from: run, to: frames, by: dilation)).count)
                    rows += runs.rows(ofRun: run)
                }
                #expect((rows + runs.separators).sorted() == Array(0..<runs.rows))
            }
        }
    }

    @Test func rangesOfFrames() {
        let runs = FrameRuns(frames: 7, dilation: 2)
        // Frames 0 2 4 6 – 1 3 5.
        #expect(runs.rows == 8 && runs.separators == [4])
        #expect(runs.rows(of: 0..<7) == [0..<4, 5..<8])
        #expect(runs.rows(of: 2..<5) == [1..<3, 6..<7])
        #expect(runs.rows(of: 6..<7) == [3..<4])
    }
}
