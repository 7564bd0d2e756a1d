import Foundation
import StenoTestSupport
import Testing

@testable import Steno

@Suite struct CancellationFlagTests {
    @Test func whatWaitsIsWokenOnceTheFlagIsRaised() {
        let (flag, woken) = (CancellationFlag(), Recorder<Int>())
        flag.whenCancelled { woken.add(1) }
        #expect(!flag.isCancelled && woken.all.isEmpty)
        flag.cancel()
        #expect(flag.isCancelled && woken.all == [1])
    }

    @Test func whatComesTooLateIsWokenAtOnce() {
        let (flag, woken) = (CancellationFlag(), Recorder<Int>())
        flag.cancel()
        flag.whenCancelled { woken.add(1) }
        #expect(woken.all == [1])
    }
}
