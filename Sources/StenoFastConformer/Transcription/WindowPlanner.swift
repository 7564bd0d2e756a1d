import StenoVoiceActivity

/// Decides which audio is decoded together, from where there is speech.
///
/// A window begins a little before speech and ends in a pause: the longest pause in its second half, as late as its
/// greatest length allows. A pause of three seconds always ends it, and longer silence is not decoded. Speech without a
/// pause is cut at the greatest length, and the next window repeats the last seconds.
///
/// For a model that streams, the parts of a stream follow each other without gaps and overlaps, and the stream ends at
/// pauses of three seconds.
struct WindowPlanner {
    /// Audio that is decoded together, in samples.
    struct Window: Hashable {
        var samples: Range<Int>
        /// The samples at its start that the window before has too.
        var overlap = 0
        /// Whether no speech continues: the window or the stream is complete.
        var isLast = true
    }

    /// Speech that is known, in samples.
    struct Speech {
        /// Its ranges in order; the last may still grow.
        var ranges: [Range<Int>]
        /// Before this sample there is no other speech.
        var end: Int
        /// Whether the audio ends here.
        var isComplete: Bool
    }

    private let longest: Int
    private let repeated: Int
    private let streams: Bool
    /// Where the next window begins at the earliest.
    private var position: Int
    /// The end of what has been decoded.
    private(set) var done: Int
    private var continues = false

    private static let rate = VoiceActivity.sampleRate
    /// The audio decoded before and after speech.
    private static let padding = rate / 2
    private static let longestPause = 3 * rate

    /// - Parameters:
    ///   - longest: The greatest length of a window, in samples.
    ///   - overlap: What a window repeats of the one before if there was no pause, in samples.
    init(streams: Bool, start: Int = 0, longest: Int = 30 * rate, overlap: Int = 4 * rate) {
        (self.streams, self.longest) = (streams, longest)
        repeated = streams ? 0 : overlap
        position = start
        done = start
    }

    /// No later window needs samples before this one.
    func firstNeeded(_ speech: Speech) -> Int {
        if continues { return position }
        let next = speech.ranges.first { $0.upperBound > done }?.lowerBound ?? speech.end
        return max(position, next - Self.padding)
    }

    /// The next window; nil if the speech that is known does not decide it, or if there is none.
    mutating func next(_ speech: Speech) -> Window? {
        guard let first = speech.ranges.firstIndex(where: { $0.upperBound > done }) else { return nil }
        let start = continues ? position : max(position, speech.ranges[first].lowerBound - Self.padding)
        var pauses: [Range<Int>] = []
        for index in first..<speech.ranges.count {
            let end = speech.ranges[index].upperBound
            if end - start > longest { return cut(start, at: pauses) }
            let next = index + 1 < speech.ranges.count ? speech.ranges[index + 1].lowerBound : nil
            let pause = end..<max(end, next ?? speech.end)
            if pause.count >= Self.longestPause || (next == nil && speech.isComplete) {
                return finish(start, before: pause)
            }
            if next != nil { pauses.append(pause) }
        }
        return nil
    }

    /// A window that ends before a long pause, or at the end of the audio.
    private mutating func finish(_ start: Int, before pause: Range<Int>) -> Window {
        window(start..<min(pause.lowerBound + Self.padding, pause.upperBound), next: nil)
    }

    /// A window that ends in the best of the pauses, or in speech.
    private mutating func cut(_ start: Int, at pauses: [Range<Int>]) -> Window {
        let late = pauses.filter { $0.lowerBound - start >= longest / 2 }
        // Of equal pauses the last.
        guard let pause = late.reversed().max(by: { $0.count < $1.count }) ?? pauses.last else {
            return window(start..<start + longest, next: start + longest - repeated)
        }
        let middle = pause.lowerBound + pause.count / 2
        guard !streams else { return window(start..<middle, next: middle) }
        return window(start..<min(middle, pause.lowerBound + Self.padding), next: nil)
    }

    private mutating func window(_ samples: Range<Int>, next: Int?) -> Window {
        let overlap = continues ? max(0, done - samples.lowerBound) : 0
        (position, done) = (next ?? samples.upperBound, samples.upperBound)
        continues = next != nil
        return Window(samples: samples, overlap: overlap, isLast: next == nil)
    }
}
