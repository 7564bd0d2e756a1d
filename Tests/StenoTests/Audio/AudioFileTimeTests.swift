import Testing

@testable import Steno

struct AudioFileTimeTests {
    @Test func secondsAreRoundedToTheNearestSample() {
        #expect([0, 1, 0.00004, -0.00004, 2.5, -1].map(\.samples) == [0, 16_000, 1, -1, 40_000, -16_000])
        #expect([0, 16_000, -8_000].map(\.seconds) == [0, 1, -0.5])
    }

    /// A time of a foreign timeline may be anything; none of them ends the process.
    @Test func noSecondsOverflow() {
        #expect([.infinity, .greatestFiniteMagnitude, 2e9].allSatisfy { $0.samples == 1_000_000_000 * 16_000 })
        #expect([-.infinity, -2e9].allSatisfy { $0.samples == -1_000_000_000 * 16_000 })
        #expect(Double.nan.samples == 0)
    }
}
