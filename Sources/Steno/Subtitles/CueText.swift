extension Segment {
    /// The text of a subtitle: the arrow that separates times in a cue must not stand in it.
    ///
    /// Compared by scalars: an accent on the arrow's head would hide it from a comparison by characters.
    var cueText: String {
        String(text.strippingWhitespace.unicodeScalars.replacing("-->".unicodeScalars, with: "->".unicodeScalars))
    }
}

extension String {
    /// The string without the white space around it; what counts as such is Python's `str.strip`.
    var strippingWhitespace: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.isPythonSpace }),
            let last = scalars.lastIndex(where: { !$0.isPythonSpace })
        else { return "" }
        return String(scalars[first...last])
    }
}

extension Unicode.Scalar {
    /// White space of Unicode, and the four separators of ASCII that only Python counts.
    fileprivate var isPythonSpace: Bool { properties.isWhitespace || (0x1C...0x1F).contains(value) }
}
