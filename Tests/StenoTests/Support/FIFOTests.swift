import StenoTestSupport
import Testing

@testable import Steno

struct FIFOTests {
    /// Any order of calls, against an array.
    @Test(arguments: 0..<20) func itBehavesLikeAnArray(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var expected = Array(0..<Int.random(in: 0...5, using: &random))
        var queue = FIFO(expected)
        for number in 100..<400 {
            if Int.random(in: 0..<5, using: &random) < 3 {
                queue.append(number)
                expected.append(number)
            } else {
                #expect(queue.first == expected.first)
                let removed = queue.popFirst()
                #expect(removed == (expected.isEmpty ? nil : expected.removeFirst()))
            }
            #expect(queue.elements == expected)
            #expect(queue.count == expected.count && queue.isEmpty == expected.isEmpty)
        }
    }
}
