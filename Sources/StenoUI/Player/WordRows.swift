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

    /// The place of each word.
    package let places: [Place]
    /// The width of the longest row and the height of all; the space after the last word of a row does not count.
    package let width: Double
    package let height: Double

    /// Places words.
    ///
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
