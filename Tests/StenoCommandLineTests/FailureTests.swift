import Foundation
import Steno
import StenoCommandLine
import Testing

/// The exit codes of errors, which `Documentation/Guides/Command.md` lists.
@Suite struct FailureTests {
    /// Errors that no retry changes, 64 and 66, fail a Kubernetes job at once.
    @Test(
        arguments: [
            (.invalidOption, 64), (.unknownLanguage, 64), (.modelNotFound, 66), (.modelUnsupported, 66),
            (.modelDamaged, 1), (.outputFailed, 1), (.outOfMemory, 1),
        ] as [(StenoError.Code, Int32)])
    func errorsHaveTheirExitCodes(code: StenoError.Code, expected: Int32) {
        #expect(StenoError(code, "It failed.").exitCode == expected)
    }

    @Test func otherErrorsAreFailures() { #expect(CocoaError(.fileNoSuchFile).exitCode == 1) }
}
