// StenoComputeTests, StenoCoreTests, StenoMoonshineTests and StenoWhisperTests have symbolic links to this file: StenoTestSupport is also
// part of StenoFuzzTool, a program, which cannot have Testing.
import Foundation
import StenoCore
import Testing

/// Expects an error of Steno's with a code, whose message has all of these parts.
func expectError<Value>(
    _ code: StenoError.Code? = nil, _ comment: Comment? = nil, says parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation, from work: () throws -> Value
) {
    let error = #expect(throws: StenoError.self, comment, sourceLocation: sourceLocation) { _ = try work() }
    guard let error else { return }
    #expect(error.localizedDescription == error.message, comment, sourceLocation: sourceLocation)
    #expect(code == nil || error.code == code, comment, sourceLocation: sourceLocation)
    for part in parts { #expect(error.message.contains(part), comment, sourceLocation: sourceLocation) }
}

/// The same for asynchronous work.
func expectAsyncError<Value>(
    _ code: StenoError.Code? = nil, says parts: String..., sourceLocation: SourceLocation = #_sourceLocation,
    from work: () async throws -> Value
) async {
    let error = await #expect(throws: StenoError.self, sourceLocation: sourceLocation) { _ = try await work() }
    guard let error else { return }
    #expect(code == nil || error.code == code, sourceLocation: sourceLocation)
    for part in parts { #expect(error.message.contains(part), sourceLocation: sourceLocation) }
}

/// Cancels a task, which must then throw Swift's error.
func expectCancellation<Value: Sendable>(
    of task: Task<Value, any Error>, sourceLocation: SourceLocation = #_sourceLocation
) async {
    task.cancel()
    await #expect(throws: CancellationError.self, sourceLocation: sourceLocation) { _ = try await task.value }
}
