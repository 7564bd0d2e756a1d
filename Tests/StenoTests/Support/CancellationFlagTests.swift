import Foundation
import Testing

@testable import Steno

@Suite struct CancellationFlagTests {
    @Test func whatWaitsIsWokenOnceTheFlagIsRaised() {
        let (flag, woken) = (CancellationFlag(), Recorder<Int>())
        flag.whenCancelled { woken.append(1) }
        #expect(!flag.isCancelled && woken.values.isEmpty)
        flag.cancel()
        #expect(flag.isCancelled && woken.values == [1])
    }

    @Test func whatComesTooLateIsWokenAtOnce() {
        let (flag, woken) = (CancellationFlag(), Recorder<Int>())
        flag.cancel()
        flag.whenCancelled { woken.append(1) }
        #expect(woken.values == [1])
    }
}
