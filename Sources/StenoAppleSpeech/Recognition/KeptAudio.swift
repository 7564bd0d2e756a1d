import Steno

/// Audio that no task has received yet, with its positions, in stretches without long gaps.
struct KeptAudio: Sendable {
    /// Audio without a gap.
    struct Stretch: Sendable {
        let start: Int
        private(set) var samples: [Float] = []
        /// From the first to the last speech in it; nil if there is none.
        private(set) var speech: Range<Int>?

        var end: Int { start + samples.count }

        init(start: Int) { self.start = start }

        mutating func append(_ samples: [Float], isSpeech: Bool) {
            let position = end
            self.samples += samples
            if isSpeech { speech = (speech?.lowerBound ?? position)..<end }
        }

        /// Splits it: the part before a position remains, the part after it is returned.
        mutating func cut(at position: Int) -> Stretch {
            var rest = Stretch(start: position)
            rest.samples = Array(samples[(position - start)...])
            samples.removeLast(rest.samples.count)
            if let speech, speech.upperBound > position {
                rest.speech = max(position, speech.lowerBound)..<speech.upperBound
                self.speech = speech.lowerBound < position ? speech.lowerBound..<position : nil
            }
            return rest
        }
    }

    /// The longest gap, in samples, that becomes silence; a longer one begins another stretch.
    static let longestGap = 1.0.samples

    private var stretches: [Stretch] = []

    var isEmpty: Bool { stretches.isEmpty }

    func hasSpeech(before position: Int = .max) -> Bool {
        stretches.contains { $0.speech.map { $0.lowerBound < position } ?? false }
    }

    /// Adds audio that follows the stored audio.
    mutating func append(_ samples: [Float], at position: Int, isSpeech: Bool) {
        guard !samples.isEmpty else { return }
        if let last = stretches.last, position - last.end <= Self.longestGap {
            let gap = [Float](repeating: 0, count: max(0, position - last.end))
            stretches[stretches.count - 1].append(gap, isSpeech: false)
        } else {
            stretches.append(Stretch(start: position))
        }
        stretches[stretches.count - 1].append(samples, isSpeech: isSpeech)
    }

    /// Keeps at most this many samples, the last ones.
    mutating func trim(to length: Int) {
        stretches.removeFirst(max(0, stretches.count - 1))
        guard let last = stretches.first, last.samples.count > length else { return }
        stretches[0] = stretches[0].cut(at: last.end - length)
    }

    /// Removes and returns the first stretch with speech, limited in length and position; earlier audio has no speech
    /// and is dropped.
    mutating func take(before position: Int, limit: Int) -> Stretch? {
        stretches.removeFirst(stretches.prefix { $0.speech == nil }.count)
        guard var first = stretches.first else { return nil }
        stretches.removeFirst()
        let end = min(first.end, position, first.start + limit)
        if end < first.end { stretches.insert(first.cut(at: end), at: 0) }
        return first
    }

    /// Puts audio back, so that it is recognised again before the rest.
    mutating func putBack(_ stretch: Stretch) { stretches.insert(stretch, at: 0) }

    mutating func removeAll() { stretches = [] }
}
