import StenoTestSupport
import Testing

/// The basis of all precision tests.
struct LargestDistanceTests {
    @Test func itIsTheLargestDifferenceOfAllNumbers() {
        #expect(largestDistance([1, 2, 3] as [Float], [1.5, 2, 1] as [Double]) == 2)
        #expect(largestDistance([Float](), [Float]()) == 0)
        #expect(largestDistance([1, 2] as [Float], [1] as [Float]) == .infinity)
        #expect(largestDistance([Float](), [1] as [Float]) == .infinity)
    }

    @Test(arguments: 0..<5) func aNumberThatIsNotFiniteIsInfinitelyFarAway(place: Int) {
        for value in [Float.nan, .infinity, -.infinity] {
            var numbers = [Float](repeating: 1, count: 5)
            numbers[place] = value
            let wanted: [Float] = [1, 1, 1, 1, 1]
            #expect(largestDistance(numbers, wanted) == .infinity)
            #expect(largestDistance(wanted, numbers) == .infinity)
            #expect(largestDistance(numbers, numbers) == .infinity)
        }
    }
}
