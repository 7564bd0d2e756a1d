import Foundation
import Steno
import StenoSpeech
import Testing

/// A buffer of one or more equal channels, in a format.
func buffer(
    _ samples: [Float], rate: Double = 16_000, channels: Int = 1,
    format: AVAudioCommonFormat = .pcmFormatInt16, interleaved: Bool = true
) throws -> AVAudioPCMBuffer {
    let audioFormat = try #require(
        AVAudioFormat(
            commonFormat: format, sampleRate: rate, channels: AVAudioChannelCount(channels), interleaved: interleaved))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: audioFormat, frameCapacity: AVAudioFrameCount(samples.count)))
    buffer.frameLength = buffer.frameCapacity
    for channel in 0..<channels {
        for (frame, sample) in samples.enumerated() {
            let index = frame * buffer.stride
            buffer.floatChannelData?[channel][index] = sample
            buffer.int16ChannelData?[channel][index] = Int16((sample * 32_767).rounded())
            buffer.int32ChannelData?[channel][index] = Int32((Double(sample) * 2_147_483_647).rounded())
        }
    }
    return buffer
}

/// Inputs of a tenth of a second each.
func inputs(
    _ samples: [Float], from start: CMTime? = nil, rate: Double = 16_000, channels: Int = 1,
    format: AVAudioCommonFormat = .pcmFormatInt16, interleaved: Bool = true
) throws -> [AnalyzerInput] {
    let length = Int(rate / 10)
    return try stride(from: 0, to: samples.count, by: length).map { first in
        let part = Array(samples[first..<min(samples.count, first + length)])
        let time = start.map { $0 + CMTime(value: Int64(first), timescale: Int32(rate)) }
        return AnalyzerInput(
            buffer: try buffer(part, rate: rate, channels: channels, format: format, interleaved: interleaved),
            bufferStartTime: time)
    }
}

/// A sequence that ends after the inputs.
func sequence(_ inputs: [AnalyzerInput]) -> AsyncStream<AnalyzerInput> {
    let (stream, continuation) = AsyncStream<AnalyzerInput>.makeStream()
    for input in inputs { continuation.yield(input) }
    continuation.finish()
    return stream
}

extension AttributedString {
    /// The text without attributes.
    var plain: String { String(characters) }
}

extension AsyncSequence where Self: Sendable {
    /// All elements.
    func all() async throws -> [Element] { try await reduce(into: []) { $0.append($1) } }
}

extension Sequence<SpeechTranscriber.Result> {
    /// The final text.
    var text: String { filter(\.isFinal).map(\.text.plain).joined() }
}
