/// The random number generator of all tests: SplitMix64 (Steele, Lea and Flood, 2014).
///
/// `Tools/support/random_model.py` generates the same numbers in Python.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates the stream of a seed.
    public init(seed: UInt64) { state = seed }

    /// Creates the stream of a name: its FNV-1a hash, xor the seed.
    public init(seed: UInt64, name: String) { self.init(seed: fnv1a64(name) ^ seed) }

    /// The next 64 bits of the stream.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z &>> 31)
    }

    /// Uniform values in `centre` ± `span`, each from the upper 24 bits of one output.
    ///
    /// All operations are exact or correctly rounded, so that Python's results are bit-identical.
    public mutating func uniform(count: Int, centre: Float, span: Double) -> [Float] {
        let step = Float(span / 8_388_608)
        return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Wrapping operators and a plain loop, which stay fast in a debug build.
            while initialized < count {
                let signed = Int(bitPattern: UInt(next() &>> 40)) &- 8_388_608
                buffer[initialized] = Float(signed) * step + centre
                initialized &+= 1
            }
        }
    }
}

/// The 64-bit FNV-1a hash of a string's UTF-8 bytes.
public func fnv1a64(_ string: String) -> UInt64 {
    string.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
