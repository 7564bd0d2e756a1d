import Testing

@testable import Steno

/// Events of a session that continues an earlier one.
struct SessionStartTests {
    /// All positions are rounded alike, so that what adjoins does so after the move.
    @Test func positionsAreRoundedToTheNearestSample() {
        let gap = AudioDiscontinuity(.filled, position: 16_000, length: 10)
        let moved = TranscriptionEvent.discontinuity(gap, position: 1).moved(to: SessionStart(time: 1.000_05))
        #expect(moved.payload == .discontinuity(AudioDiscontinuity(.filled, position: 32_001, length: 10)))
        #expect(moved.position == 2.000_05)
    }
}
