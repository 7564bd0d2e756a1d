/// The best lines for every text that begins at one piece: as few as possible, then ending at phrases, then equally
/// long.
struct LineLayouts {
    /// The weight of uneven lines: a difference of half a line costs less than the gain from ending at a comma.
    private static let balance = 6.0

    private struct Line {
        var cost = Double.infinity
        /// Where the last line begins.
        var begin = 0
    }

    private let first: Int
    /// `ways[count][length]`: the best way to put the first `length + 1` pieces into `count + 1` lines.
    private var ways: [[Line]]

    /// Lays out the text from a piece on, until it is too long for a cue.
    init(from first: Int, to end: Int, measures: CueMeasures) {
        self.first = first
        ways = Array(repeating: [], count: measures.limits.lineCount)
        for length in 1...max(1, end - first) {
            let options = ways.indices.map { best(lines: $0, length: length, measures) }
            guard options.contains(where: { $0.cost < .infinity }) else { return }
            for (count, option) in options.enumerated() { ways[count].append(option) }
        }
    }

    /// The number of pieces in the longest text that fits.
    var longest: Int { ways[0].count }

    /// The cost of the best lines of the first pieces.
    func cost(length: Int) -> Double { ways.lazy.map { $0[length - 1].cost }.first { $0 < .infinity } ?? .infinity }

    /// The pieces in each of the best lines.
    func lines(length: Int) -> [Range<Int>] {
        var count = ways.firstIndex { $0[length - 1].cost < .infinity } ?? 0
        var end = length
        var lines: [Range<Int>] = []
        while end > 0 {
            let begin = ways[count][end - 1].begin
            lines.append(first + begin..<first + end)
            end = begin
            count = max(0, count - 1)
        }
        return lines.reversed()
    }

    /// The sum of squared differences is lowest when the lines are equally long.
    private func best(lines count: Int, length: Int, _ measures: CueMeasures) -> Line {
        guard count > 0 else { return measures.fits(first..<first + length) ? Line(cost: 0, begin: 0) : Line() }
        var line = Line()
        for begin in stride(from: length - 1, to: 0, by: -1) {
            let last = first + begin..<first + length
            guard measures.fits(last) else { break }
            let before = ways[count - 1][begin - 1]
            guard before.cost < .infinity else { continue }
            let cost =
                before.cost + measures.breaks.ending[last.lowerBound] / 2 + unevenness(begin, length, count, measures)
            if cost < line.cost { line = Line(cost: cost, begin: begin) }
        }
        return line
    }

    /// The cost of the difference between the last of `count + 1` lines and the mean of the lines before it.
    private func unevenness(_ begin: Int, _ length: Int, _ count: Int, _ measures: CueMeasures) -> Double {
        let before = Double(measures.columns(first..<first + begin))
        let last = Double(measures.columns(first + begin..<first + length))
        let width = Double(measures.limits.lineWidth)
        let lines = Double(count)
        let (a, b) = (before / lines / width, last / width)
        return Self.balance * (a - b) * (a - b) * lines / (lines + 1)
    }
}
