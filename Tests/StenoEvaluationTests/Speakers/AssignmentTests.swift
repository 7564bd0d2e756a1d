import StenoTestSupport
import Testing

@testable import StenoEvaluation

@Suite struct AssignmentTests {
    /// The smallest sum, found by trying every assignment.
    private func smallest(_ costs: [[Double]], from row: Int = 0, used: Set<Int> = []) -> Double {
        guard row < costs.count else { return 0 }
        let columns = costs[row].indices.filter { !used.contains($0) }
        var sums = columns.map { costs[row][$0] + smallest(costs, from: row + 1, used: used.union([$0])) }
        // With fewer columns than rows some rows have none.
        if costs.count > costs[row].count { sums.append(smallest(costs, from: row + 1, used: used)) }
        return sums.min() ?? 0
    }

    private func sum(_ costs: [[Double]], _ columns: [Int?]) -> Double {
        zip(costs, columns).reduce(0) { sum, row in
            guard let column = row.1 else { return sum }
            return sum + row.0[column]
        }
    }

    @Test func noAssignmentIsCheaper() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<200 {
            let (rows, columns) = (Int.random(in: 1...6, using: &random), Int.random(in: 1...6, using: &random))
            let costs = (0..<rows).map { _ in (0..<columns).map { _ in -Double(Int.random(in: 0...9, using: &random)) }
            }
            let found = Assignment.minimum(costs)
            #expect(sum(costs, found) == smallest(costs))
            let taken = found.compactMap(\.self)
            #expect(taken.count == min(rows, columns) && Set(taken).count == taken.count)
        }
    }

    @Test func nothingIsAssignedWithoutRowsOrColumns() {
        #expect(Assignment.minimum([]) == [])
        #expect(Assignment.minimum([[], []]) == [nil, nil])
        #expect(Assignment.maximum([[1, 5], [4, 5]]) == [1, 0])
    }
}
