/// Takes from a text what does not count as an error: case, punctuation, spelling.
public protocol TextNormalizer: Sendable {
    /// The text in the form in which it is compared; words stand between spaces.
    func normalize(_ text: String) -> String
}
