/// Removes differences that do not count as errors: case, punctuation, spelling.
public protocol TextNormalizer: Sendable {
    /// The normalised text; words are separated by spaces.
    func normalize(_ text: String) -> String
}
