extension String {
    /// The string without arrows, which separate the times of a cue and must not occur in its text.
    ///
    /// Scalars are compared, because an accent on the arrow's head would hide it from a comparison of characters.
    var withoutArrows: String {
        String(unicodeScalars.replacing("-->".unicodeScalars, with: "->".unicodeScalars))
    }

    /// The string without the white space around it, as defined by Python's `str.strip`.
    var strippingWhitespace: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.isPythonSpace }),
            let last = scalars.lastIndex(where: { !$0.isPythonSpace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// The white space a string begins with, and the rest.
    var splitLeadingWhitespace: (space: String, rest: String) {
        let rest = unicodeScalars.drop(while: \.isPythonSpace)
        return (String(unicodeScalars[..<rest.startIndex]), String(rest))
    }

    /// The string with every run of white space as one space, and none around it.
    var collapsingWhitespace: String {
        unicodeScalars.split(whereSeparator: \.isPythonSpace).map { String($0) }.joined(separator: " ")
    }
}

extension Unicode.Scalar {
    /// Whether this is white space in Unicode, or one of the four ASCII separators that only Python counts.
    var isPythonSpace: Bool { properties.isWhitespace || (0x1C...0x1F).contains(value) }
}
