import StenoCore

/// Removes crosstalk: speech that a channel's microphone picks up from the speakers of other channels.
///
/// A word that two channels have at about the same time is the same one if their loudness rises and falls together; it
/// stays in the louder channel. Words that only the quieter channel has are bleed if the loudness correlates closely:
/// they were misheard if the louder channel has about as many words at that time, and otherwise they belong to that
/// channel, which missed them. So nothing is lost.
struct BleedFilter {
    /// The largest difference between the times of a word in two channels, in seconds: Whisper's are accurate to 0.2.
    private static let tolerance = 0.5
    /// The lowest correlation of the loudness that shows bleed, for the same text and for other text.
    private static let (equalTextCorrelation, otherTextCorrelation): (Float, Float) = (0.6, 0.9)
    /// The longest word, in seconds, whatever its times are, and the longest that can stand for words of another
    /// channel.
    private static let (longestWord, longestCoveringWord) = (30.0, 2.0)
    /// How far a misheard word may be from the word it stands for, in seconds.
    private static let coverReach = 0.3

    private enum Place: Equatable {
        /// It stays where it is, because nothing else is known.
        case own
        /// It stays for sure, because another channel's copy of it is removed.
        case louder
        /// It is removed: another channel has it.
        case bleed
        /// Another channel's speaker said it, and that channel's transcript lacks it.
        case moved(Int)
    }

    private struct Heard {
        var text: String
        var times: ClosedRange<Double>
        var place = Place.own

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
        let letters = word.rawText.lowercased().filter { $0.isLetter || $0.isNumber }
        return Heard(text: letters, times: word.start...max(word.start, word.end))
    }

    /// The segments of every channel without bleed; one that loses words in its middle becomes several.
    static func segments(_ channels: [ChannelTranscript]) -> [[Segment]] {
        var filter = Self(channels)
        for one in channels.indices {
            for other in channels.indices where other > one { filter.comparePairs(one, other) }
        }
        for channel in channels.indices { filter.findMisheard(channel) }
        var kept = [[Segment]](repeating: [], count: channels.count)
        for channel in channels.indices {
            for (owner, segment) in filter.kept(channel) { kept[owner].append(segment) }
        }
        return kept.map { $0.sorted { $0.start < $1.start } }
    }

    // MARK: Words that two channels have

    private mutating func comparePairs(_ one: Int, _ other: Int) {
        var start = 0
        var taken: Set<Int> = []
        for index in words[one].indices where words[one][index].place != .bleed {
            let word = words[one][index]
            while start < words[other].count, words[other][start].middle < word.middle - Self.longestWord { start += 1 }
            let candidates = words[other][start...].indices.prefix {
                words[other][$0].middle < word.middle + Self.longestWord
            }
            let twin = candidates.filter {
                !taken.contains($0) && words[other][$0].place != .bleed && isSameWord(word, words[other][$0])
            }
            .min { abs(words[other][$0].middle - word.middle) < abs(words[other][$1].middle - word.middle) }
            guard let twin else { continue }
            taken.insert(twin)
            let isOther = louderFrames(other, than: one, [word.times, words[other][twin].times]) > 0
            let (louder, quieter) = isOther ? ((other, twin), (one, index)) : ((one, index), (other, twin))
            let times = Self.union(word.times, words[other][twin].times)
            guard channels[quieter.0].bleed(times, of: channels[louder.0]) >= Self.equalTextCorrelation else {
                continue
            }
            words[quieter.0][quieter.1].place = .bleed
            words[louder.0][louder.1].place = .louder
        }
    }

    private func isSameWord(_ one: Heard, _ other: Heard) -> Bool {
        one.text == other.text
            && (abs(one.middle - other.middle) <= Self.tolerance || one.times.overlaps(other.times))
    }

    private func louderFrames(_ other: Int, than channel: Int, _ times: [ClosedRange<Double>]) -> Int {
        times.reduce(0) { $0 + channels[other].louderFrames($1, than: channels[channel]) }
    }

    private static func union(_ one: ClosedRange<Double>, _ other: ClosedRange<Double>) -> ClosedRange<Double> {
        min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }

    // MARK: Words that only the quieter channel has

    private mutating func findMisheard(_ channel: Int) {
        var index = 0
        for segment in channels[channel].transcript.segments {
            let range = index..<(index + segment.heardWords.count)
            index = range.upperBound
            for other in channels.indices where other != channel { findMisheard(channel, range, of: other) }
        }
    }

    /// Finds words of a segment whose loudness follows that of a louder channel.
    ///
    /// If these and known bleed make up most of the segment, all other words in which that channel is louder count as
    /// bleed too.
    private mutating func findMisheard(_ channel: Int, _ range: Range<Int>, of other: Int) {
        let quiet = range.filter {
            words[channel][$0].place == .own && louderFrames(other, than: channel, [words[channel][$0].times]) > 0
        }
        var found = quiet.filter {
            channels[channel].bleed(words[channel][$0].times, of: channels[other]) >= Self.otherTextCorrelation
        }
        let bleedCount = range.count { words[channel][$0].place == .bleed }
        if 2 * (found.count + bleedCount) > range.count { found = quiet }
        for run in found.runs(where: { $1 == $0 + 1 }) { place(run, of: channel, in: other) }
    }

    /// Removes consecutive words if the louder channel has about as many of its own; otherwise that channel lacks them.
    private mutating func place(_ run: ArraySlice<Int>, of channel: Int, in other: Int) {
        guard let first = run.first, let last = run.last else { return }
        let times = Self.union(words[channel][first].times, words[channel][last].times)
        let own = ownWords(other, times)
        let covered = run.filter { index in own.contains { $0.overlaps(words[channel][index].times) } }
        for index in run { words[channel][index].place = .moved(other) }
        guard 2 * own.count >= covered.count else { return }
        for index in covered { words[channel][index].place = .bleed }
    }

    /// The times of a channel's own words in a stretch, each widened by ``coverReach``.
    private func ownWords(_ channel: Int, _ times: ClosedRange<Double>) -> [ClosedRange<Double>] {
        let all = words[channel]
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].times.lowerBound < times.lowerBound - Self.longestWord {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return all[low...].prefix { $0.times.lowerBound <= times.upperBound + Self.coverReach }
            .filter { [.own, .louder].contains($0.place) && $0.times.length <= Self.longestCoveringWord }
            .map { $0.times.lowerBound - Self.coverReach...$0.times.upperBound + Self.coverReach }
            .filter { $0.overlaps(times) }
    }

    // MARK: What remains

    /// The segments of a channel, or parts of them, with the channels whose speakers said them.
    private func kept(_ channel: Int) -> [(channel: Int, segment: Segment)] {
        var index = 0
        return channels[channel].transcript.segments.flatMap { segment -> [(channel: Int, segment: Segment)] in
            let heard = segment.heardWords
            let owners = words[channel][index..<index + heard.count].map { word -> Int? in
                switch word.place {
                case .own, .louder: channel
                case .bleed: nil
                case .moved(let other): other
                }
            }
            index += heard.count
            guard owners.contains(where: { $0 != channel }) else { return [(channel, segment)] }
            return Array(zip(heard, owners)).runs { $0.1 == $1.1 }.compactMap { part in
                part.first?.1.map { ($0, segment.part(part.map(\.0))) }
            }
        }
    }
}

extension ClosedRange<Double> {
    fileprivate var length: Double { upperBound - lowerBound }
}

extension Array {
    /// The runs of elements in which every element belongs to the previous one.
    fileprivate func runs(where belongs: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices where index + 1 == endIndex || !belongs(self[index], self[index + 1]) {
            runs.append(self[start...index])
            start = index + 1
        }
        return runs
    }
}

extension Segment {
    /// The words; the whole text as one word if it has no word times.
    fileprivate var heardWords: [Word] { words ?? [Word(rawText: text, start: start, end: end, probability: 1)] }

    fileprivate func part(_ words: [Word]) -> Segment {
        var part = self
        part.words = words
        part.text = words.map(\.rawText).joined()
        part.start = words.first?.start ?? start
        part.end = max(part.start, words.last?.end ?? end)
        // It is not known which tokens belong to which part.
        part.whisper?.tokens = []
        return part
    }
}
