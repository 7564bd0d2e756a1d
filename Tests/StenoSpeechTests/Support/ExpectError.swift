import Foundation
import StenoSpeech
import Testing

/// Expects an error with a code, whose message contains a part and is what Foundation shows.
func expectError<Value>(
    _ code: SFSpeechError.Code, _ part: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    from work: () async throws -> Value
) async {
    let error = await #expect(throws: SFSpeechError.self, sourceLocation: sourceLocation) { _ = try await work() }
    #expect(error?.code == code && error?.localizedDescription == error?.message, sourceLocation: sourceLocation)
    if let part { #expect(error?.message.contains(part) == true, sourceLocation: sourceLocation) }
}
