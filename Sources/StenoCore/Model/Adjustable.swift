/// Options that can be changed in an expression.
///
///     let options = WhisperOptions(language: "de").with { $0.beamSize = 1 }
public protocol Adjustable {}

extension Adjustable {
    /// A copy with changes.
    public func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
