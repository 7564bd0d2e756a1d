import StenoCore

/// A small generator with good statistical properties, one word of state, and any seed.
///
/// SplitMix64 (Steele et al. 2014, "Fast Splittable Pseudorandom Number Generators").
package struct RandomNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates an independent stream for each combination of seeds, so that no result depends on the order of the work.
    package init(seeds: UInt64...) {
        state = 0x9E37_79B9_7F4A_7C15
        for seed in seeds { state = next() ^ seed }
    }

    /// The next 64 bits of the stream.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
