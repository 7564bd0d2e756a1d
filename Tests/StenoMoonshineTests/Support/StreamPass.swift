import Foundation
import StenoTestSupport

@testable import StenoCompute
@testable import StenoCore
@testable import StenoMoonshine

/// A random streaming model, loaded.
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
