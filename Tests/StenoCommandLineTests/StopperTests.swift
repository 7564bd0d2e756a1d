import StenoCommandLine
import StenoTestSupport
import Testing

/// What the first, the second and further reasons to stop do.
@Suite struct StopperTests {
    private let stopper = Stopper()
    private let calls = Recorder<String>()

    private func attach(gently: Bool) {
        stopper.attach { [calls] in calls.add("cancel") }
        if gently { stopper.endGently { [calls] in calls.add("end") } }
    }

    @Test func workIsCancelledOnce() {
        attach(gently: false)
        #expect(stopper.stop(.signal(15)))
        #expect(!stopper.stop(.signal(2)) && !stopper.stop(.readerLeft))
        #expect(calls.all == ["cancel"] && stopper.phase == .cancelled(.signal(15)))
    }

    @Test func gracefulWorkIsAskedFirstAndThenCancelled() {
        attach(gently: true)
        #expect(stopper.stop(.signal(1)))
        #expect(calls.all == ["end"] && stopper.phase == .ending(.signal(1)))
        #expect(stopper.stop(.signal(2)))
        #expect(calls.all == ["end", "cancel"] && stopper.phase == .cancelled(.signal(2)))
        #expect(!stopper.stop(.signal(2)))
    }

    /// A terminal that was closed fails every write while the last words are decoded.
    @Test func outputThatFailsNeverCancelsWorkThatFinishes() {
        attach(gently: true)
        #expect(stopper.stop(.outputFailed(5)))
        #expect(!stopper.stop(.outputFailed(5)) && !stopper.stop(.readerLeft))
        #expect(calls.all == ["end"] && stopper.phase == .ending(.outputFailed(5)))
        #expect(stopper.stop(.signal(15)))
        #expect(calls.all == ["end", "cancel"])
    }

    /// Only a signal that asks to finish, such as a worker's SIGTERM; nobody reads what the others would finish for.
    @Test func otherReasonsThanTheGentleOnesCancel() {
        stopper.attach { [calls] in calls.add("cancel") }
        stopper.endGently(on: { $0 == .signal(15) }) { [calls] in calls.add("end") }
        #expect(stopper.stop(.signal(15)))
        #expect(calls.all == ["end"])
        #expect(stopper.stop(.readerLeft))
        #expect(calls.all == ["end", "cancel"] && stopper.phase == .cancelled(.readerLeft))

        let other = Stopper()
        other.attach { [calls] in calls.add("other") }
        other.endGently(on: { $0 == .signal(15) }) { [calls] in calls.add("never") }
        #expect(other.stop(.signal(2)))
        #expect(calls.all == ["end", "cancel", "other"])
    }

    @Test func aStopBeforeTheWorkIsAttachedCounts() {
        #expect(stopper.stop(.signal(15)))
        attach(gently: true)
        #expect(calls.all == ["cancel"])
    }
}
