import Steno

extension Sequence<String> {
    /// The parts of a text as one text, with a space between two parts whose words would otherwise run together.
    ///
    /// Some programs keep the space before the first word of a part, others trim all parts. Scripts without spaces get
    /// none.
    func joinedAsText() -> String {
        reduce(into: "") { text, part in
            if let last = text.unicodeScalars.last, let first = part.unicodeScalars.first,
                ![last, first].contains(where: { $0.isSpace || UnspacedScript.contains($0) })
            {
                text += " "
            }
            text += part
        }
    }
}
