import Foundation
import StenoTestSupport

@testable import StenoCompute
@testable import StenoCore
@testable import StenoMoonshine

struct LoadedStreamingMoonshine {
    let random: RandomMoonshine
    let model: StreamingMoonshineModel

    init(
        _ name: String, precision: Precision = .float32, windows: WindowReading = .exclusive,
        change: (inout [String: Any]) -> Void = { _ in }
    ) throws {
        random = try RandomMoonshine(name)
        let folder = try TemporaryFolder()
        try random.write(to: folder.url, change: change)
        model = try withExtendedLifetime(folder) {
            try StreamingMoonshineModel.load(folder: folder.url, precision: precision, threads: 1, windows: windows)
        }
    }
}

extension MoonshineStream {
    func feed(_ samples: some Collection<Float>, isLast: Bool = false) throws {
        try Array(samples).withUnsafeBufferPointer { try feed($0, isLast: isLast) }
    }
}

/// The frames of a streaming encoder, and the logits of every token of a text.
struct StreamPass {
    /// The number of frames after each part of the audio.
    private(set) var counts: [Int] = []
    private(set) var encoder: [Float] = []
    private(set) var logits: [[Float]] = []

    /// - Parameter sizes: The sizes of the parts, in turn.
    init(_ model: StreamingMoonshineModel, samples: [Float], sizes: [Int] = [32000], tokens: [Int]? = nil) throws {
        let context = ComputeContext(pool: model.pool), width = model.configuration.width
        let state = try StreamingEncoderState(model.encoder, precision: model.precision, context: context)
        let audio = try GrowingAudio(model, rows: StreamingEncoderState.rows(of: model.encoder), context: context)
        var start = 0, turn = 0
        while start < samples.count {
            let size = min(sizes[turn % sizes.count], samples.count - start)
            let rows = samples[start..<start + size].withUnsafeBufferPointer { part in
                part.baseAddress.map { base in
                    model.encoder.forward(
                        base, count: size, isLast: start + size == samples.count, state: state, in: context,
                        checkCancellation: {})
                } ?? 0
            }
            encoder += UnsafeBufferPointer(start: state.output, count: rows * width)
            counts.append(encoder.count / width)
            try audio.append(Rows(state.output, stride: width), count: rows)
            (start, turn) = (start + size, turn + 1)
        }
        guard let tokens else { return }
        let text = try TextMemory(model.decoder.shape, precision: model.precision)
        try model.decoder.reserve(context)
        for (position, token) in ([1] + tokens).enumerated() {
            model.decoder.forward([token], from: position, text: text, audio: try audio.memory(), in: context)
            model.decoder.logits(0..<1, text: text, in: context)
            let count = model.decoder.shape.vocabularySize
            logits.append(Array(UnsafeBufferPointer(start: text.logits(row: 0), count: count)))
        }
    }
}

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
