import StenoCore
import Testing

/// Expects an error of Steno's with a code, whose message has all of these parts.
func expectError<Value>(
    _ code: StenoError.Code? = nil, _ comment: Comment? = nil, says parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation, from work: () throws -> Value
) {
    let error = #expect(throws: StenoError.self, comment, sourceLocation: sourceLocation) { _ = try work() }
    guard let error else { return }
    #expect(code == nil || error.code == code, comment, sourceLocation: sourceLocation)
    for part in parts { #expect(error.message.contains(part), comment, sourceLocation: sourceLocation) }
}
