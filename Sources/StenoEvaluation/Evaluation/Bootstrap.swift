import StenoWhisper

/// How sure a figure is that was measured on some files.
///
/// The files are drawn again with replacement, as many as there are, and the figure is computed anew (Bisani and Ney
/// 2004, "Bootstrap estimates for confidence intervals in ASR performance evaluation"). Equal seeds give equal
/// intervals.
public struct Bootstrap: Sendable, Hashable {
    /// How often the files are drawn.
    public var resamples: Int
    /// The probability that the interval is made for, from 0 to 1.
    public var confidence: Double
    /// The seed of the random numbers (SplitMix64).
    public var seed: UInt64

    /// Creates a way to draw.
    public init(resamples: Int = 10_000, confidence: Double = 0.95, seed: UInt64 = 1) {
        precondition(resamples > 0 && (0...1).contains(confidence))
        self.resamples = resamples
        self.confidence = confidence
        self.seed = seed
    }

    /// The interval of the total error rate of some files.
    ///
    /// - Returns: nil when there are fewer than two files, of which nothing can be learned about others.
    public func interval(_ files: [ErrorCounts]) -> ConfidenceInterval? {
        interval(count: files.count) { drawn in
            Self.rate(drawn, files)
        }
    }

    /// The interval of the difference between two total error rates of the same files, `second` minus `first`.
    ///
    /// Both are drawn together: what is hard in a file is hard for both, and so does not count as chance.
    ///
    /// - Precondition: Both have the same number of files, in the same order.
    public func interval(from first: [ErrorCounts], to second: [ErrorCounts]) -> ConfidenceInterval? {
        precondition(first.count == second.count)
        return interval(count: first.count) { drawn in
            guard let one = Self.rate(drawn, first), let other = Self.rate(drawn, second) else { return nil }
            return other - one
        }
    }

    private static func rate(_ drawn: [Int], _ files: [ErrorCounts]) -> Double? {
        var (errors, words) = (0, 0)
        for index in drawn {
            errors += files[index].errors
            words += files[index].referenceCount
        }
        return words > 0 ? Double(errors) / Double(words) : nil
    }

    /// The percentiles of a figure; draws of files in which nothing was said have no figure and are left out.
    private func interval(count: Int, _ figure: ([Int]) -> Double?) -> ConfidenceInterval? {
        guard count > 1 else { return nil }
        var random = RandomNumbers(seeds: seed)
        var drawn = [Int](repeating: 0, count: count)
        var figures: [Double] = []
        figures.reserveCapacity(resamples)
        for _ in 0..<resamples {
            for index in drawn.indices { drawn[index] = Int(random.next().multipliedFullWidth(by: UInt64(count)).high) }
            if let value = figure(drawn) { figures.append(value) }
        }
        guard !figures.isEmpty else { return nil }
        figures.sort()
        let tail = (1 - confidence) / 2
        return ConfidenceInterval(low: Self.quantile(tail, figures), high: Self.quantile(1 - tail, figures))
    }

    /// Between two values the quantile is interpolated linearly, as NumPy does.
    private static func quantile(_ fraction: Double, _ sorted: [Double]) -> Double {
        let place = fraction * Double(sorted.count - 1)
        let below = Int(place)
        guard below + 1 < sorted.count else { return sorted[below] }
        return sorted[below] + (sorted[below + 1] - sorted[below]) * (place - Double(below))
    }
}

/// The range in which a figure lies with the confidence it was made for.
public struct ConfidenceInterval: Sendable, Hashable, Codable {
    /// The lower end.
    public var low: Double
    /// The upper end.
    public var high: Double

    /// Creates an interval.
    public init(low: Double, high: Double) {
        self.low = low
        self.high = high
    }
}
