import Testing

@testable import Steno

/// The time that decodings take on a simulated machine.
struct SimulatedMachineTests {
    private final class Queue {}

    @Test func aDecodingAloneTakesItsCost() {
        let (machine, queue) = (SimulatedMachine(), Queue())
        machine.begin(queue, cost: 1000, at: 500)
        #expect(!machine.hasEnded(queue, at: 1499))
        #expect(machine.hasEnded(queue, at: 1500))
    }

    /// Two at once take twice as long, until the shorter one has ended.
    @Test func twoDecodingsShareTheCores() {
        let (machine, main, draft) = (SimulatedMachine(), Queue(), Queue())
        machine.begin(main, cost: 1000, at: 0)
        machine.begin(draft, cost: 200, at: 100)
        #expect(!machine.hasEnded(draft, at: 498))
        #expect(machine.hasEnded(draft, at: 500))
        #expect(!machine.hasEnded(main, at: 1198))
        #expect(machine.hasEnded(main, at: 1200))
    }

    @Test func aDecodingThatIsWaitedForTakesNoMoreTime() {
        let (machine, main, draft) = (SimulatedMachine(), Queue(), Queue())
        machine.begin(main, cost: 1000, at: 0)
        machine.begin(draft, cost: 1000, at: 0)
        machine.end(draft)
        #expect(machine.hasEnded(main, at: 1000))
    }
}
