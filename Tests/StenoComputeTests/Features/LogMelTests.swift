import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

struct LogMelTests {
    static let filterbanks = [80: MelFilterbank(count: 80), 128: MelFilterbank(count: 128)]

    /// The largest difference between features and a golden's frames.
    static func error(_ features: [Float], _ golden: MelGoldens.Features, _ goldens: MelGoldens) -> Double {
        let computed = golden.frames.flatMap { features.dropFirst($0 * golden.mels).prefix(golden.mels) }
        return largestDistance(computed, goldens.rows(golden))
    }

    @Test(arguments: ["noise", "tones", "speech"], [80, 128])
    func equalsTheReferences(audio: String, mels: Int) throws {
        let goldens = try MelGoldens.shared.get()
        let filterbank = try #require(Self.filterbanks[mels])
        let samples = try TestAudio.named(audio)
        let features = LogMel.compute(samples, filterbank: filterbank)
        for (reference, tail) in [("openai-whisper", 0), ("faster-whisper", 1)] {
            let golden = try #require(goldens.features(of: audio, by: reference, mels: mels))
            #expect(features.count == (golden.total - tail) * mels)
            let error = Self.error(features, golden, goldens)
            print("log-mel of \(audio), \(mels) mels, against \(reference): \(error)")
            #expect(error < 1e-4)
        }
    }

    @Test(arguments: [0, 1, 159, 160]) func shortRecordingsHaveFewFrames(count: Int) throws {
        let filterbank = try #require(Self.filterbanks[80])
        let features = LogMel.compute([Float](repeating: 0.1, count: count), filterbank: filterbank)
        #expect(features.count == count / 160 * 80)
    }
}

struct MelFilterbankTests {
    /// OpenAI's filters were rounded to single precision twice; faster-whisper's once, like ours.
    @Test(arguments: [80, 128], [("openai-whisper", 1e-7), ("faster-whisper", 4e-9)] as [(String, Double)])
    func equalsTheReferences(count: Int, reference: (name: String, tolerance: Double)) throws {
        let goldens = try MelGoldens.shared.get()
        let golden = try #require(goldens.filters.first { $0.mels == count && $0.reference == reference.name })
        let filterbank = MelFilterbank(count: count)
        let computed = (0..<count).flatMap(filterbank.denseRow)
        let expected = goldens.weights(golden)
        #expect(largestDistance(computed, expected) <= reference.tolerance)
        // No additional weights: zeros in the original are zeros here, except for rounding at a triangle's corner.
        #expect(zip(computed, expected).allSatisfy { ($0 == 0) == ($1 == 0) || max($0, $1) < 1e-9 })
    }

    @Test func keepsOnlyTheTriangles() {
        let filterbank = MelFilterbank(count: 80)
        #expect(filterbank.weights.count < 450)
        #expect(filterbank.weightStarts.last == Int32(filterbank.weights.count))
        #expect(filterbank.weights.max() == 0.025880685)
    }

    @Test(arguments: [1, 3, 201, 400]) func anyNumberOfBandsStaysInsideTheSpectrum(count: Int) {
        let filterbank = MelFilterbank(count: count)
        for band in 0..<count {
            let length = filterbank.weightStarts[band + 1] - filterbank.weightStarts[band]
            #expect(length >= 0)
            #expect(filterbank.firstBins[band] + length <= 201)
        }
    }
}

extension MelFilterbank {
    /// The weights of one band over all bins, zeros included.
    func denseRow(_ band: Int) -> [Float] {
        let run = weights[Int(weightStarts[band])..<Int(weightStarts[band + 1])]
        var row = [Float](repeating: 0, count: binCount)
        row.replaceSubrange(Int(firstBins[band])..<(Int(firstBins[band]) + run.count), with: run)
        return row
    }
}

struct PreEmphasisTests {
    @Test func blocksFollowOneAnother() {
        let samples: [Float] = [1, 2, -1, 0.5, 4]
        for cut in 0...5 {
            var filter = PreEmphasis(coefficient: 0.5)
            var output: [Float] = [9]
            for block in [samples[..<cut], samples[cut...]] {
                block.withUnsafeBufferPointer { filter.append($0, to: &output) }
            }
            #expect(output == [9, 1, 1.5, -2, 1, 3.75])
        }
    }
}

/// The output of `Tools/goldens/make_mel_goldens.py`.
struct MelGoldens {
    struct Features: Decodable {
        let audio: String
        let reference: String
        let mels: Int
        let total: Int
        let frames: [Int]
        let offset: Int
    }

    struct Filters: Decodable {
        let reference: String
        let mels: Int
        let bins: Int
        let indices: [Int]
        let offset: Int
    }

    private struct Index: Decodable {
        let filters: [Filters]
        let features: [Features]
    }

    static let shared = Result { try MelGoldens() }

    let filters: [Filters]
    let features: [Features]
    private let values: [Float]

    private init() throws {
        let folder = Fixtures.file("features")
        let index = try JSONDecoder().decode(
            Index.self, from: Data(contentsOf: folder.appendingPathComponent("goldens.json")))
        filters = index.filters
        features = index.features
        let bytes = try Data(contentsOf: folder.appendingPathComponent("goldens.bin"))
        values = bytes.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt32.self).map { Float(bitPattern: UInt32(littleEndian: $0)) }
        }
    }

    func rows(_ features: Features) -> ArraySlice<Float> {
        values[features.offset..<(features.offset + features.frames.count * features.mels)]
    }

    /// All weights of a filterbank [mels][bins], zeros included.
    func weights(_ filters: Filters) -> [Float] {
        var dense = [Float](repeating: 0, count: filters.mels * filters.bins)
        for (number, index) in filters.indices.enumerated() { dense[index] = values[filters.offset + number] }
        return dense
    }

    func features(of audio: String, by reference: String, mels: Int) -> Features? {
        features.first { $0.audio == audio && $0.reference == reference && $0.mels == mels }
    }
}
