/// Words in rows, as a paragraph has them: where each goes in a given width.
package struct WordRows: Sendable, Hashable {
    /// A place in points from the upper leading corner.
    package struct Place: Sendable, Hashable {
        package let x: Double
        package let y: Double
    }

    /// The place of each word.
    package let places: [Place]
    /// The width of the longest row and the height of all.
    package let width: Double
    package let height: Double

    /// Places words.
    ///
    /// - Parameters:
    ///   - sizes: The width and the height of each word.
    ///   - lineWidth: The width at which rows break; a longer word has a row of its own.
    ///   - spacing: The space between words, and between rows.
    package init(_ sizes: [(width: Double, height: Double)], lineWidth: Double, spacing: (x: Double, y: Double)) {
        var places: [Place] = []
        var x = 0.0, y = 0.0, rowHeight = 0.0, longest = 0.0
        for size in sizes {
            if x > 0, x + size.width > lineWidth {
                y += rowHeight + spacing.y
                (x, rowHeight) = (0, 0)
            }
            places.append(Place(x: x, y: y))
            longest = max(longest, x + size.width)
            x += size.width + spacing.x
            rowHeight = max(rowHeight, size.height)
        }
        self.places = places
        width = longest
        height = y + rowHeight
    }
}
