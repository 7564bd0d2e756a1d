import StenoCore

/// Removes from each channel what its microphone hears of the others' speakers.
///
/// A word that two channels have at about the same time is the same one when their loudness goes up and down together;
/// it stays where it is louder. A word that only the quieter channel has is misheard bleed when the two go up and down
/// together closely and the louder one has words at that time; otherwise it stays, so that nothing is lost.
struct BleedFilter {
    /// The most that the times of a word in two channels may differ, in seconds: Whisper's are good to 0.2.
    private static let tolerance = 0.5
    /// The least correlation of the loudness where the text is the same, and where only the loudness says it.
    private static let (equalTextCorrelation, otherTextCorrelation): (Float, Float) = (0.6, 0.9)
    /// Powers that differ by less than 0.5 dB are equal: then the earlier channel keeps the word.
    private static let equalPowers: ClosedRange<Float> = 0.89...1.122

    private struct Heard {
        var text: String
        var times: ClosedRange<Double>
        var isBleed = false

        var middle: Double { (times.lowerBound + times.upperBound) / 2 }
    }

    private let channels: [ChannelTranscript]
    /// The words of every channel, in order of time.
    private var words: [[Heard]]

    init(_ channels: [ChannelTranscript]) {
        self.channels = channels
        words = channels.map { channel in channel.transcript.segments.flatMap { $0.heardWords.map(Self.heard) } }
    }

    private static func heard(_ word: Word) -> Heard {
        let letters = word.word.lowercased().filter { $0.isLetter || $0.isNumber }
        return Heard(text: letters, times: word.start...max(word.start, word.end))
    }

    /// The segments of every channel without the bleed of others; what remains of one that loses words in its middle
    /// are several.
    static func segments(_ channels: [ChannelTranscript]) -> [[Segment]] {
        var filter = Self(channels)
        for one in channels.indices {
            for other in channels.indices where other > one { filter.comparePairs(one, other) }
        }
        for channel in channels.indices { filter.findMisheard(channel) }
        return channels.indices.map(filter.kept)
    }

    // MARK: Words that two channels have

    private mutating func comparePairs(_ one: Int, _ other: Int) {
        var start = 0
        var taken: Set<Int> = []
        for index in words[one].indices {
            let word = words[one][index]
            while start < words[other].count, words[other][start].middle < word.middle - 30 { start += 1 }
            let candidates = words[other][start...].indices.prefix { words[other][$0].middle < word.middle + 30 }
            let twin = candidates.filter { !taken.contains($0) && isSameWord(word, words[other][$0]) }
                .min { abs(words[other][$0].middle - word.middle) < abs(words[other][$1].middle - word.middle) }
            guard let twin else { continue }
            taken.insert(twin)
            let times = Self.union(word.times, words[other][twin].times)
            let isBleed = channels[one].correlation(times, with: channels[other]) >= Self.equalTextCorrelation
            guard isBleed else { continue }
            if isLouder(other, than: one, times) {
                words[one][index].isBleed = true
            } else {
                words[other][twin].isBleed = true
            }
        }
    }

    private func isSameWord(_ one: Heard, _ other: Heard) -> Bool {
        one.text == other.text
            && (abs(one.middle - other.middle) <= Self.tolerance || one.times.overlaps(other.times))
    }

    private func isLouder(_ other: Int, than channel: Int, _ times: ClosedRange<Double>) -> Bool {
        let (mine, theirs) = (channels[channel].power(times), channels[other].power(times))
        if Self.equalPowers.contains(mine / max(theirs, .leastNormalMagnitude)) { return other < channel }
        return theirs > mine
    }

    private static func union(_ one: ClosedRange<Double>, _ other: ClosedRange<Double>) -> ClosedRange<Double> {
        min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }

    // MARK: Words that only the quieter channel has

    /// Marks words of a channel whose loudness follows that of a louder channel with words at that time, and, where most
    /// of a segment is bleed, its other words that a louder channel covers.
    private mutating func findMisheard(_ channel: Int) {
        var index = 0
        for segment in channels[channel].transcript.segments {
            let range = index..<(index + segment.heardWords.count)
            index = range.upperBound
            let covered = range.filter {
                !words[channel][$0].isBleed && cover(channel, words[channel][$0].times) != nil
            }
            for place in covered {
                let times = words[channel][place].times
                guard let other = cover(channel, times) else { continue }
                let correlation = channels[channel].correlation(times, with: channels[other])
                words[channel][place].isBleed = correlation >= Self.otherTextCorrelation
            }
            let bleedCount = range.count { words[channel][$0].isBleed }
            guard 2 * bleedCount > range.count else { continue }
            for place in covered { words[channel][place].isBleed = true }
        }
    }

    /// A louder channel that has words of its own at a time.
    private func cover(_ channel: Int, _ times: ClosedRange<Double>) -> Int? {
        channels.indices.first { other in
            other != channel && isLouder(other, than: channel, times)
                && words[other].contains { !$0.isBleed && $0.times.overlaps(times) }
        }
    }

    // MARK: What remains

    private func kept(_ channel: Int) -> [Segment] {
        var index = 0
        return channels[channel].transcript.segments.flatMap { segment in
            let heard = segment.heardWords
            defer { index += heard.count }
            let marks = words[channel][index..<(index + heard.count)].map(\.isBleed)
            guard marks.contains(true) else { return [segment] }
            guard segment.words != nil else { return [] }
            return zip(heard, marks).split { $0.1 }.map { segment.part($0.map(\.0)) }
        }
    }
}

extension Segment {
    /// The words; one of the whole text where their times are not known.
    fileprivate var heardWords: [Word] { words ?? [Word(word: text, start: start, end: end, probability: 1)] }

    /// The segment with some of its words only.
    fileprivate func part(_ words: [Word]) -> Segment {
        var part = self
        part.words = words
        part.text = words.map(\.word).joined()
        part.start = words.first?.start ?? start
        part.end = max(part.start, words.last?.end ?? end)
        return part
    }
}
