import Steno

/// The largest letters in which a text fits its box without breaking a word.
package struct LetterFit: Sendable, Hashable {
    /// The width and the height of the box, in points.
    package let width: Double
    package let height: Double
    /// The sizes to choose from, in points.
    package let sizes: ClosedRange<Double>

    /// Measures a text in one letter size: its width and height in points.
    ///
    /// Its arguments are the text, the size of its letters, and the width at which lines break (nil: one line).
    package typealias Measure = (_ text: String, _ size: Double, _ lineWidth: Double?) -> (
        width: Double, height: Double
    )

    package init(width: Double, height: Double, sizes: ClosedRange<Double>) {
        (self.width, self.height, self.sizes) = (width, height, sizes)
    }

    /// The largest size, in whole points above the smallest one, at which the text fits; the smallest when none does.
    ///
    /// The size is found by bisection, so a text is measured about ten times.
    package func size(of text: String, measure: Measure) -> Double {
        let words = Set(Self.unbreakable(text))
        let longest = words.sorted { ($0.count, $0) > ($1.count, $1) }.prefix(3)
        func fits(_ size: Double) -> Bool {
            longest.allSatisfy { measure($0, size, nil).width <= width } && measure(text, size, width).height <= height
        }
        var fitting = 0
        var failing = Int(sizes.upperBound - sizes.lowerBound) + 1
        while failing - fitting > 1 {
            let middle = (fitting + failing) / 2
            if fits(sizes.lowerBound + Double(middle)) { fitting = middle } else { failing = middle }
        }
        return sizes.lowerBound + Double(fitting)
    }

    /// A part that cannot be broken across lines: a word, or a character of a script without spaces.
    private static func unbreakable(_ text: String) -> [String] {
        var parts: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            var rest = word
            while let first = rest.first {
                let part = isUnspaced(first) ? rest.prefix(1) : rest.prefix { !isUnspaced($0) }
                parts.append(String(part))
                rest = rest.dropFirst(part.count)
            }
        }
        return parts
    }

    private static func isUnspaced(_ character: Character) -> Bool {
        character.unicodeScalars.contains(where: UnspacedScript.contains)
    }
}
