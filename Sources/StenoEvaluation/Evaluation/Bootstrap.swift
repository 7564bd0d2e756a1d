import StenoCore
import StenoWhisper

/// The bootstrap confidence interval of a figure measured on a set of files.
///
/// The files are resampled with replacement and the figure is recomputed (Bisani and Ney
/// 2004, "Bootstrap estimates for confidence intervals in ASR performance evaluation"). Equal seeds give equal
/// intervals.
public struct Bootstrap: Sendable, Hashable {
    /// The number of resamples.
    public private(set) var resamples = 10_000
    /// The confidence level, from 0 to 1.
    public private(set) var confidence = 0.95
    /// The seed of the random numbers (SplitMix64).
    public private(set) var seed: UInt64 = 1

    /// Creates a bootstrap of 10,000 resamples for intervals of 95 %.
    public init() {}

    /// Creates a bootstrap; without a value, it is that of ``init()``.
    ///
    /// - Parameters:
    ///   - resamples: From 1 to 10,000,000.
    ///   - confidence: The confidence level, from 0 to 1.
    ///   - seed: The seed of the random numbers.
    /// - Throws: `StenoError` `invalidOption` when a value is out of range.
    public init(resamples: Int? = nil, confidence: Double? = nil, seed: UInt64? = nil) throws {
        self.resamples = resamples ?? self.resamples
        self.confidence = confidence ?? self.confidence
        self.seed = seed ?? self.seed
        guard (1...10_000_000).contains(self.resamples) else {
            throw StenoError(.invalidOption, "The number of resamples must be from 1 to 10000000.")
        }
        guard (0...1).contains(self.confidence) else {
            throw StenoError(.invalidOption, "The confidence level must be from 0 to 1, such as 0.95.")
        }
    }

    /// The interval of the total error rate of some files.
    ///
    /// - Returns: Nil with fewer than two files, which do not show any variance.
    public func interval(_ files: [ErrorCounts]) -> ConfidenceInterval? {
        interval(count: files.count) { drawn in
            Self.rate(drawn, files)
        }
    }

    /// The interval of the difference between two total error rates of the same files, `second` minus `first`.
    ///
    /// The resamples are paired, so that the difficulty of a file, which affects both, is not counted as variance.
    ///
    /// - Parameters:
    ///   - first: The counts of each file.
    ///   - second: The counts of the same files, in the same order.
    /// - Throws: `StenoError` `invalidOption` when the numbers of files differ.
    public func interval(from first: [ErrorCounts], to second: [ErrorCounts]) throws -> ConfidenceInterval? {
        guard first.count == second.count else {
            throw StenoError(
                .invalidOption,
                "Paired counts must be of the same files, but there are \(first.count) and \(second.count).")
        }
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

    /// The interval between percentiles of a figure; resamples without reference words have no figure and are left out.
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

    /// Quantiles are interpolated linearly, as in NumPy.
    private static func quantile(_ fraction: Double, _ sorted: [Double]) -> Double {
        let place = fraction * Double(sorted.count - 1)
        let below = Int(place)
        guard below + 1 < sorted.count else { return sorted[below] }
        return sorted[below] + (sorted[below + 1] - sorted[below]) * (place - Double(below))
    }
}

/// A confidence interval.
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
