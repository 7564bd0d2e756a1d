import StenoTestSupport

/// Audio of steady noise and silence.
func sound(_ parts: (seconds: Double, gain: Double)...) -> [Float] {
    parts.enumerated().flatMap { number, part -> [Float] in
        let count = Int(part.seconds * 16_000)
        guard part.gain > 0 else { return [Float](repeating: 0, count: count) }
        return TestAudio.loop(seed: UInt64(number) + 1, count: count, gain: part.gain)
    }
}
