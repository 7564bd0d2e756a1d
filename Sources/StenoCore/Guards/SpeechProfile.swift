/// Speech probabilities over time.
package struct SpeechProfile: Sendable, Hashable {
    /// Where the first window begins, in seconds.
    package let start: Double
    /// The duration of one window of the detector, in seconds.
    package let step: Double
    /// The probability of speech in each window.
    package private(set) var probabilities: [Float]

    /// Creates a profile of the windows processed so far.
    package init(start: Double = 0, step: Double, probabilities: [Float] = []) {
        self.start = start
        self.step = step
        self.probabilities = probabilities
    }

    /// Adds the next windows.
    package mutating func append(_ next: some Sequence<Float>) { probabilities.append(contentsOf: next) }

    /// The duration of speech between two times, in seconds: windows with at least this probability.
    ///
    /// - Parameters:
    ///   - from: Seconds from the start of the audio; may be infinite.
    ///   - to: The same; the result is 0 if it is before `from`.
    ///   - probability: From 0 to 1.
    ///   - claimed: Windows whose centre lies in one of these ranges are not counted.
    package func seconds(
        from: Double, to: Double, probability: Double, outside claimed: [ClosedRange<Double>] = []
    ) -> Double {
        guard from < to, !probabilities.isEmpty else { return 0 }
        let first = window(from - start, probabilities.count)
        let last = window(to - start, probabilities.count - 1)
        guard first <= last else { return 0 }
        return (first...last).reduce(0) { total, window in
            guard Double(probabilities[window]) >= probability else { return total }
            let begin = start + Double(window) * step
            guard !claimed.contains(where: { $0.contains(begin + step / 2) }) else { return total }
            return total + max(0, min(to, begin + step) - max(from, begin))
        }
    }

    private func window(_ seconds: Double, _ limit: Int) -> Int {
        guard seconds > 0 else { return 0 }
        let window = seconds / step
        return window < Double(limit) ? Int(window) : limit
    }
}
