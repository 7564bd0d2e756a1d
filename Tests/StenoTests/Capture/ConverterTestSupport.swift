import Foundation
import StenoTestSupport

@testable import Steno
@testable import StenoAudio

struct Converted: Equatable {
    /// By position; skipped positions are missing.
    var samples: [Int: Float] = [:]
    var discontinuities: [AudioDiscontinuity] = []
    var all: [Float] = []

    mutating func add(_ chunks: [AudioChunk]) {
        for chunk in chunks {
            for (offset, sample) in chunk.samples.enumerated() { samples[chunk.position + offset] = sample }
            all += chunk.samples
            discontinuities += chunk.discontinuities
        }
    }
}

func convert(_ buffers: [PCMBuffer], with converter: AudioStreamConverter = AudioStreamConverter()) throws -> Converted
{
    var converted = Converted()
    for buffer in buffers { converted.add(try converter.push(buffer)) }
    converted.add(converter.finish())
    return converted
}

/// A tone, computed at the times of its samples.
func tone(_ frequency: Double, rate: Int, frames: Int, from start: Double = 0, amplitude: Double = 0.5) -> [Float] {
    (0..<frames).map { Float(amplitude * sin(2 * .pi * frequency * (start + Double($0) / Double(rate)))) }
}

/// Noise from −0.5 to 0.5.
func noise(_ count: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    return random.uniform(count: count, centre: 0, span: 0.5)
}

extension PCMBuffer {
    /// The same audio in pieces; start times are advanced.
    func cut(_ sizes: () -> Int) throws -> [PCMBuffer] {
        guard case .float32(let samples) = samples else { return [self] }
        var pieces: [PCMBuffer] = []
        var frame = 0
        while frame < frameCount {
            let end = min(frameCount, frame + max(1, sizes()))
            pieces.append(
                try PCMBuffer(
                    Array(samples[frame * channels..<end * channels]), sampleRate: sampleRate, channels: channels,
                    startTime: startTime.map { $0 + AudioTime(samples: frame, rate: sampleRate) }))
            frame = end
        }
        return pieces
    }
}
