/// The assignment of rows to columns with the smallest sum of costs (Kuhn 1955, "The Hungarian method for the assignment
/// problem"), by shortest augmenting paths in cubic time (Jonker and Volgenant 1987).
enum Assignment {
    /// Finds the column of every row; nil for rows that are left over if there are fewer columns.
    ///
    /// - Parameter costs: The finite costs, row by row, all rows of the same length.
    static func minimum(_ costs: [[Double]]) -> [Int?] {
        let columnCount = costs.first?.count ?? 0
        precondition(costs.allSatisfy { $0.count == columnCount }, "a rectangle of costs")
        let size = max(costs.count, columnCount)
        var solver = AssignmentSolver(size: size) { row, column in
            row < costs.count && column < columnCount ? costs[row][column] : 0
        }
        let columns = solver.solve()
        return costs.indices.map { columns[$0] < columnCount ? columns[$0] : nil }
    }

    /// The same for the largest sum.
    static func maximum(_ gains: [[Double]]) -> [Int?] { minimum(gains.map { $0.map { -$0 } }) }

    /// The largest sum of gains of any assignment.
    static func largestSum(_ gains: [[Double]]) -> Double {
        zip(gains, maximum(gains)).reduce(0) { sum, row in
            guard let column = row.1 else { return sum }
            return sum + row.0[column]
        }
    }
}

/// Assigns one row after another, and moves earlier ones if that is cheaper.
private struct AssignmentSolver {
    private let size: Int
    private let cost: (Int, Int) -> Double
    /// The dual variables: no cost is below the sum of its row's and its column's price.
    private var rowPrices: [Double]
    private var columnPrices: [Double]
    private var rowOfColumn: [Int?]

    init(size: Int, cost: @escaping (Int, Int) -> Double) {
        self.size = size
        self.cost = cost
        rowPrices = Array(repeating: 0, count: size)
        columnPrices = Array(repeating: 0, count: size)
        rowOfColumn = Array(repeating: nil, count: size)
    }

    mutating func solve() -> [Int] {
        for row in 0..<size { assign(row) }
        var columns = [Int](repeating: 0, count: size)
        for (column, row) in rowOfColumn.enumerated() { if let row { columns[row] = column } }
        return columns
    }

    /// Finds the cheapest path from a free row to a free column (Dijkstra on the reduced costs) and flips it.
    private mutating func assign(_ start: Int) {
        var distances = [Double](repeating: .infinity, count: size)
        var previous = [Int?](repeating: nil, count: size)
        var isReached = [Bool](repeating: false, count: size)
        var (row, column): (Int, Int?) = (start, nil)
        var length = 0.0
        while true {
            for other in 0..<size where !isReached[other] {
                let distance = length + cost(row, other) - rowPrices[row] - columnPrices[other]
                if distance < distances[other] { (distances[other], previous[other]) = (distance, column) }
            }
            let open = (0..<size).filter { !isReached[$0] }
            guard let nearest = open.min(by: { distances[$0] < distances[$1] }) else { return }
            length = distances[nearest]
            isReached[nearest] = true
            column = nearest
            guard let next = rowOfColumn[nearest] else { break }
            row = next
        }
        rowPrices[start] += length
        for other in 0..<size where isReached[other] {
            if let owner = rowOfColumn[other] { rowPrices[owner] += length - distances[other] }
            columnPrices[other] -= length - distances[other]
        }
        while let end = column {
            column = previous[end]
            rowOfColumn[end] = column.map { rowOfColumn[$0] } ?? start
        }
    }
}
