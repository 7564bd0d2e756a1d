import Foundation
import Steno
import Testing

@testable import StenoModelStore

@Suite struct StoreFailureTests {
    private let place = URL(fileURLWithPath: "/models/x")

    private func explained(_ error: any Error) -> StenoError? {
        StoreFailure.explained(error, at: place) as? StenoError
    }

    @Test func fullDisksHaveTheirOwnCodeFromAnySource() {
        let full = SystemCallError(call: "write", number: ENOSPC)
        let errors: [any Error] = [
            full, SystemCallError(call: "write", number: EDQUOT), StenoError(.outputFailed, "x", underlying: full),
            CocoaError(.fileWriteOutOfSpace), POSIXError(.ENOSPC),
        ]
        for error in errors { #expect(explained(error)?.code == .diskFull, "\(error)") }
    }

    @Test func otherFailuresSayWhatToDo() {
        let errors: [any Error] = [
            SystemCallError(call: "open", number: EACCES), SystemCallError(call: "read", number: EIO),
            SystemCallError(call: "rename", number: EXDEV), CocoaError(.fileWriteNoPermission), POSIXError(.EROFS),
        ]
        for error in errors {
            let found = explained(error)
            #expect(found?.code == .outputFailed, "\(error)")
            #expect(found?.message.contains("/models/x") == true && found?.message.contains("STENO_MODELS") == true)
            #expect(found?.message.contains("..") == false)
        }
    }

    @Test func otherErrorsThanTheDisksAreUnchanged() {
        #expect(StoreFailure.explained(CancellationError(), at: place) is CancellationError)
        let reserved = StenoError(.outputFailed, "It is reserved.")
        #expect(explained(reserved)?.message == reserved.message)
    }
}
