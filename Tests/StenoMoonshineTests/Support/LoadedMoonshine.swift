import Foundation
import StenoTestSupport

@testable import StenoCompute
@testable import StenoCore
@testable import StenoMoonshine

/// A random model, loaded.
struct LoadedMoonshine {
    let random: RandomMoonshine
    let model: MoonshineModel

    init(_ name: String, precision: Precision = .float32, threads: Int? = 1) throws {
        random = try RandomMoonshine(name)
        let folder = try TemporaryFolder()
        try random.write(to: folder.url)
        model = try withExtendedLifetime(folder) {
            try MoonshineModel.load(folder: folder.url, precision: precision, threads: threads)
        }
    }
}

extension MoonshineState {
    func encode(_ samples: [Float]) throws -> Int { try samples.withUnsafeBufferPointer { try encode($0) } }
}

/// The encoder's output and the logits of every token of a text, computed step by step.
struct ForwardPass {
    let positions: Int
    private(set) var encoder: [Float] = []
    private(set) var logits: [[Float]] = []
    private(set) var weights: CrossAttentionWeights

    /// Runs a model over samples, and its decoder over the start of text and `tokens`.
    init(_ model: MoonshineModel, samples: [Float], tokens: [Int]) throws {
        let context = ComputeContext(pool: model.pool), shape = model.decoder.shape
        let lengths = AudioFrontEnd.Lengths(samples: samples.count)
        positions = lengths.positions
        let memory = try EncoderMemory(model, capacity: positions, context: context)
        let audio = try CrossMemory(shape, capacity: positions, precision: model.precision)
        let text = try TextMemory(shape, precision: model.precision)
        try model.decoder.reserve(context)
        try model.decoder.reserve(context, positions: positions)
        weights = CrossAttentionWeights(positions: positions, layers: shape.layers, heads: shape.heads.count)
        samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            model.encoder.forward(base, lengths, memory: memory, in: context, checkCancellation: {})
        }
        encoder = Array(UnsafeBufferPointer(start: memory.output, count: positions * shape.width))
        model.decoder.prepare(
            Rows(memory.output, stride: shape.width), positions: positions, scratch: memory.wide.pointer, audio: audio,
            in: context, checkCancellation: {})
        for (position, token) in ([1] + tokens).enumerated() {
            weights.append(1)
            model.decoder.forward([token], from: position, text: text, audio: audio, weights: weights, in: context)
            model.decoder.logits(0..<1, text: text, in: context)
            logits.append(Array(UnsafeBufferPointer(start: text.logits(row: 0), count: shape.vocabularySize)))
        }
    }
}

/// Audio of steady noise and silence.
func sound(_ parts: (seconds: Double, gain: Double)...) -> [Float] {
    parts.enumerated().flatMap { number, part -> [Float] in
        let count = Int(part.seconds * 16_000)
        guard part.gain > 0 else { return [Float](repeating: 0, count: count) }
        return TestAudio.loop(seed: UInt64(number) + 1, count: count, gain: part.gain)
    }
}

/// The largest distance, relative to the largest value.
func relativeDistance(_ one: [Float], _ other: [Float]) -> Double {
    largestDistance(one, other) / Double(other.map(abs).max() ?? 1)
}

/// The cosine of the angle between two vectors.
func cosine(_ one: [Float], _ other: [Float]) -> Double {
    func product(_ one: [Float], _ other: [Float]) -> Double {
        zip(one, other).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    return product(one, other) / (product(one, one) * product(other, other)).squareRoot()
}
