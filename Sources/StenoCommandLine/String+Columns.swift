import Steno

extension String {
    /// The longest prefix of at most this many columns.
    package func prefix(columns: Int) -> String {
        var used = 0
        return String(
            prefix { character in
                used += TextWidth.of(String(character))
                return used <= columns
            })
    }
}
