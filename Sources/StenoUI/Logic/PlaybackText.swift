import Steno
package import StenoCore

/// A transcript whose words can be found by time, for highlighting and for playing from a tapped word.
package struct PlaybackText: Sendable, Hashable {
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

    package struct Paragraph: Sendable, Hashable, Identifiable {
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
                return Item(id: count, text: word.text, start: word.start, end: word.end, hasSpace: !isUnspaced)
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

/// Arranges words in rows of a given width, like a paragraph.
package struct WordRows: Sendable, Hashable {
    /// A position in points from the top leading corner.
    package struct Place: Sendable, Hashable {
        package let x: Double
        package let y: Double
        /// The width of a word that is broken because it is wider than a row; nil for its own width.
        package let width: Double?
    }

    /// A size in points.
    package typealias Size = (width: Double, height: Double)

    package let places: [Place]
    /// The width of the longest row and the height of all; the space after the last word of a row does not count.
    package let width: Double
    package let height: Double

    /// - Parameters:
    ///   - gaps: Whether there is a space before each word, if it does not begin a row.
    ///   - lineWidth: The width at which rows break; a wider word has rows of its own.
    ///   - spacing: The space between words, and between rows.
    ///   - measure: The size of a word by its index: in one line (nil), or broken at a width.
    package init(
        gaps: [Bool], lineWidth: Double, spacing: (x: Double, y: Double), measure: (Int, _ width: Double?) -> Size
    ) {
        var places: [Place] = []
        var x = 0.0, y = 0.0, rowHeight = 0.0, longest = 0.0
        var isRowEmpty = true
        for (index, hasGap) in gaps.enumerated() {
            var size = measure(index, nil)
            let isBroken = size.width > lineWidth
            if isBroken { size = (lineWidth, measure(index, lineWidth).height) }
            let gap = isRowEmpty || !hasGap ? 0 : spacing.x
            if !isRowEmpty, x + gap + size.width > lineWidth {
                y += rowHeight + spacing.y
                (x, rowHeight) = (0, 0)
            } else {
                x += gap
            }
            places.append(Place(x: x, y: y, width: isBroken ? lineWidth : nil))
            x += size.width
            longest = max(longest, x)
            rowHeight = max(rowHeight, size.height)
            isRowEmpty = false
        }
        self.places = places
        width = longest
        height = y + rowHeight
    }
}
