/// The sample types of a ``PCMBuffer``: `Float`, `Int16` and `Int32`.
package protocol AudioSample: Sendable {
    /// Wraps interleaved samples of this type.
    static func audioSamples(_ interleaved: [Self]) -> PCMBuffer.Samples
}

extension Float: AudioSample {
    /// Wraps samples from −1 to 1.
    package static func audioSamples(_ interleaved: [Float]) -> PCMBuffer.Samples { .float32(interleaved) }
}

extension Int16: AudioSample {
    /// Wraps samples from −32,768 to 32,767.
    package static func audioSamples(_ interleaved: [Int16]) -> PCMBuffer.Samples { .int16(interleaved) }
}

extension Int32: AudioSample {
    /// Wraps samples over the full 32-bit range.
    package static func audioSamples(_ interleaved: [Int32]) -> PCMBuffer.Samples { .int32(interleaved) }
}
