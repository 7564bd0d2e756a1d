import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

/// Loading and encoding take seconds with a large model and can be cancelled halfway.
struct CancellationTests {
    /// Three layers on each side.
    private static let shape: RandomModel.Shape = {
        var shape = SmallModel.shape
        (shape.encoderLayers, shape.decoderLayers) = (3, 3)
        return shape
    }()

    private func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        try SmallModel.withFolder { folder in
            try ModelBinary(RandomModel(Self.shape)).serialized().bytes
                .write(to: folder.appendingPathComponent("model.bin"))
            try SmallModel.writeTexts(to: folder)
            return try body(folder)
        }
    }

    private struct Stopped: Error {}

    @Test func theEncoderChecksForCancellationBeforeEachLayer() throws {
        let model = try withFolder { try WhisperModel.load(folder: $0, precision: .float32, threads: 1) }
        let state = try EncoderState(
            shape: model.shape, encoder: model.encoder, precision: .float32,
            context: ComputeContext(pool: model.pool))
        var random = SplitMix64(seed: 4)
        let mel = random.uniform(count: model.shape.windowFrames * model.shape.melCount, centre: 0, span: 1)
        func encode(_ check: () throws -> Void) throws -> [Float] {
            state.frames.update(from: mel, count: mel.count)
            try model.encoder.forward(positions: model.shape.audioContext, state: state, checkCancellation: check)
            return Array(UnsafeBufferPointer(start: state.output, count: model.shape.audioContext * model.shape.width))
        }
        var questions = 0
        let whole = try encode { questions += 1 }
        #expect(questions == 3)
        // The layers computed before cancellation: none, one, two.
        var partial: [[Float]] = []
        for last in 1...3 {
            questions = 0
            #expect(throws: Stopped.self) {
                _ = try encode {
                    questions += 1
                    if questions == last { throw Stopped() }
                }
            }
            #expect(questions == last)
            partial.append(
                Array(UnsafeBufferPointer(start: state.output, count: model.shape.audioContext * model.shape.width)))
        }
        #expect(partial[1] != partial[2] && partial[2] != whole)
        // The remains do not affect later windows.
        #expect(try encode {} == whole)
    }

    /// A lane passes the check on.
    @Test func windowsCanBeCancelledHalfway() throws {
        let model = try withFolder { try WhisperModel.load(folder: $0, precision: .float32, threads: 1) }
        var questions = 0, last = Int.max
        let lane = try WindowLane(model, hypotheses: 1) {
            questions += 1
            return questions == last
        }
        lane.frames.update(repeating: 0, count: model.shape.windowFrames * model.shape.melCount)
        try lane.encode(positions: 100)
        let count = questions
        #expect(count == 4)
        for point in 1...count {
            (questions, last) = (0, point)
            let error = #expect(throws: StenoError.self) { try lane.encode(positions: 100) }
            #expect(error?.code == .cancelled && questions == point)
        }
    }

    @Test(arguments: [Precision.float32, .int8]) func loadingCanBeCancelledAtEveryPoint(precision: Precision) throws {
        try withFolder { folder in
            let all = Questions()
            let whole = try WhisperModel.load(folder: folder, precision: precision, threads: 1, isCancelled: all.ask)
            // The vocabulary, and every tensor and its parts.
            #expect(all.count > 100)
            for last in 1...all.count {
                let questions = Questions(yesFrom: last)
                weak var leftOver: Witness?
                let error = #expect(throws: StenoError.self) {
                    let witness = Witness()
                    leftOver = witness
                    _ = try WhisperModel.load(
                        folder: folder, precision: precision, threads: 1,
                        isCancelled: { withExtendedLifetime(witness) { questions.ask() } })
                }
                #expect(error?.code == .cancelled && questions.count == last)
                // The closure is released, and so is the loader that holds it.
                #expect(leftOver == nil)
            }
            let again = try WhisperModel.load(folder: folder, precision: precision, threads: 1)
            #expect(try WhisperModelLoadingTests.encoded(by: again) == WhisperModelLoadingTests.encoded(by: whole))
        }
    }

    private final class Witness {}

    /// Audio whose reading is interrupted after two seconds, as cancelling does with a pipe.
    private final class InterruptedSource: SampleSource {
        private(set) var isInterrupted = false
        private var left = 32_000

        func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
            isInterrupted = left == 0
            if isInterrupted { throw BrokenAudio() }
            let count = min(buffer.count, left)
            buffer[..<count].update(repeating: 0.1)
            left -= count
            return count
        }

        func rewind() -> Bool { false }
    }

    /// The error of an interrupted read is a consequence of cancelling, not a damaged recording.
    @Test func anInterruptedReadIsACancellation() throws {
        let (model, source) = (try SmallModel.load(), InterruptedSource())
        var ended = 0
        expectError(.cancelled) {
            let options = TranscriptionTests.options()
            try model.transcribe(
                ArrayFeed([{ source }], options), lanes: 1, options, isCancelled: { source.isInterrupted },
                onEvent: { ended += $1.result == nil ? 0 : 1 })
        }
        #expect(source.isInterrupted && ended == 0)
    }
}
