import StenoCompute
import StenoCore
import Testing

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
