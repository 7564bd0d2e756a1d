/// Options that can be changed in an expression.
///
///     let options = TranscriptionOptions(language: "de").with { $0.wordTimestamps = true }
public protocol Adjustable {}

extension Adjustable {
    /// A copy with changes.
    public func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
