import StenoTestSupport
import Testing

@testable import StenoCompute

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
