import Steno
package import StenoCore

/// A transcript whose words can be found by time, for highlighting and for playing from a tapped word.
package struct PlaybackText: Sendable, Hashable {
    /// A word and its times.
    package struct Item: Sendable, Hashable, Identifiable {
        /// The index among all words.
        package let id: Int
        /// The word with its punctuation, without the space before it.
        package let text: String
        package let start: Double
        package let end: Double
        /// Whether there is a space before it: scripts such as Han and Thai have none.
        package let hasSpace: Bool
    }

    /// The words of one segment.
    package struct Paragraph: Sendable, Hashable, Identifiable {
        /// The index of the segment.
        package let id: Int
        /// Its words; the whole text as one word if the transcript has no word times.
        package let items: [Item]
    }

    /// The segments that have text.
    package let paragraphs: [Paragraph]
    private let starts: [Double]
    private let ends: [Double]
    /// The paragraph of each word.
    private let owners: [Int]

    package init(_ transcript: Transcript) {
        var paragraphs: [Paragraph] = []
        var count = 0
        for (index, segment) in transcript.segments.enumerated() {
            var words = segment.words ?? []
            if words.isEmpty {
                words = [Word(rawText: segment.text, start: segment.start, end: segment.end, probability: 1)]
            }
            let items = words.filter { !$0.text.isEmpty }.map { word in
                defer { count += 1 }
                let isUnspaced = word.rawText.unicodeScalars.first.map(UnspacedScript.contains) == true
                return Item(
                    id: count, text: word.text, start: word.start, end: word.end, hasSpace: !isUnspaced)
            }
            if !items.isEmpty { paragraphs.append(Paragraph(id: index, items: items)) }
        }
        self.paragraphs = paragraphs
        starts = paragraphs.flatMap(\.items).map(\.start)
        ends = paragraphs.flatMap(\.items).map(\.end)
        owners = paragraphs.flatMap { paragraph in paragraph.items.map { _ in paragraph.id } }
    }

    /// The index of the word that is spoken at a time, or of the last one spoken in a pause up to one second; nil
    /// elsewhere.
    ///
    /// This is a binary search, so an hour's transcript costs hardly more than a sentence's.
    package func word(at seconds: Double) -> Int? {
        var low = 0, high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        let word = low - 1
        return word >= 0 && seconds < ends[word] + Self.pause ? word : nil
    }

    package func paragraph(of word: Int) -> Int? { owners.indices.contains(word) ? owners[word] : nil }

    /// How long the last word stays highlighted in a pause, in seconds: a highlight that flickers is hard to follow.
    private static let pause = 1.0
}

/// The playback position as it is shown: it changes with the word and the second, not with every tick.
package struct PlaybackPlace: Sendable, Hashable {
    /// The index of the word that is highlighted; nil in a pause.
    package let word: Int?
    /// The index of its paragraph.
    package let paragraph: Int?
    /// The whole seconds since the start.
    package let second: Int

    /// Creates the place at the start of a recording, without a transcript.
    package init() { (word, paragraph, second) = (nil, nil, 0) }

    /// Creates the place for a position in seconds.
    package init(_ position: Double, in text: PlaybackText) {
        word = text.word(at: position)
        paragraph = word.flatMap(text.paragraph)
        second = position.isFinite ? Int(max(0, min(359_999, position))) : 0
    }
}

/// A time in readable form: `0:07`, `12:34`, `1:02:03`.
package func playbackTime(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(max(0, min(359_999, seconds))) : 0
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
}
