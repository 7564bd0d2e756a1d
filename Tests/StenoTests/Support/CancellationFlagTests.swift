import StenoCore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct CancellationFlagTests {
    @Test func handlersRunWhenTheFlagIsRaised() {
        let (flag, woken) = (CancellationFlag(), Recorder<Int>())
        flag.whenCancelled { woken.add(1) }
        #expect(!flag.isCancelled && woken.all.isEmpty)
        flag.cancel()
        #expect(flag.isCancelled && woken.all == [1])
    }

    /// A worker opens a million files under one flag.
    @Test func interruptionsOfFinishedWorkAreForgotten() throws {
        let flag = CancellationFlag()
        let kept = try (0..<3).map { _ in try Interruption() }
        kept.forEach(flag.interrupt)
        for _ in 0..<1000 { flag.interrupt(try Interruption()) }
        #expect(flag.interruptionCount < 100)
        flag.cancel()
        for interruption in kept {
            #expect(throws: StenoError.self) { try interruption.wait(milliseconds: 0) }
        }
    }

    @Test func lateHandlersRunAtOnce() {
        let (flag, woken) = (CancellationFlag(), Recorder<Int>())
        flag.cancel()
        flag.whenCancelled { woken.add(1) }
        #expect(woken.all == [1])
    }
}
