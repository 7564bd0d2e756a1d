import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

/// The encoder's convolutions of growing audio, compared with those of the whole audio.
struct ConvolutionCacheTests {
    private let model: WhisperModel
    private let cached: EncoderState
    private let plain: EncoderState
    private var random = SplitMix64(seed: 9)

    init() throws {
        model = try SmallModel.load()
        let context = ComputeContext(pool: model.pool)
        cached = try EncoderState(
            shape: model.shape, encoder: model.encoder, precision: .float32, context: context, cachesConvolutions: true)
        plain = try EncoderState(shape: model.shape, encoder: model.encoder, precision: .float32, context: context)
    }

    private func encode(_ mel: [Float], positions: Int) -> (cached: [UInt32], plain: [UInt32]) {
        func encode(_ state: EncoderState) -> [UInt32] {
            state.frames.update(from: mel, count: mel.count)
            model.encoder.forward(positions: positions, state: state) {}
            return (0..<positions * model.shape.width).map { state.output[$0].bitPattern }
        }
        return (encode(cached), encode(plain))
    }

    /// Any frames may change, and the window may become longer or shorter: the output is bit-identical.
    @Test mutating func theOutputEqualsThatOfTheWholeAudio() {
        let mels = model.shape.melCount, frames = 2 * model.shape.audioContext
        var mel = random.uniform(count: frames * mels, centre: 0, span: 1)
        var outputs: Set<[UInt32]> = []
        let rounds = isLong ? 120 : 30
        for round in 0..<rounds {
            let positions = round % 3 == 0 ? 50 + Int(random.next() % 51) : 70
            if round % 5 > 0 {
                let first = Int(random.next() % UInt64(frames))
                let count = min(1 + Int(random.next() % 7), frames - first)
                mel.replaceSubrange(
                    first * mels..<(first + count) * mels, with: random.uniform(count: count * mels, centre: 0, span: 1)
                )
            }
            let (found, expected) = encode(mel, positions: positions)
            #expect(found == expected, "round \(round), \(positions) positions")
            outputs.insert(found)
        }
        #expect(outputs.count > rounds / 2)
    }

    /// Only positions that see a changed frame are computed: position p sees frames 2p − 2 to 2p + 2.
    @Test(arguments: [
        (0..<1, 0..<2), (1..<2, 0..<2), (2..<3, 0..<3), (3..<4, 1..<3), (4..<5, 1..<4), (10..<12, 4..<7),
        (139..<140, 69..<70), (0..<140, 0..<70),
    ])
    func changedPositions(frames: Range<Int>, positions: Range<Int>) throws {
        let mels = model.shape.melCount
        var mel = [Float](repeating: 0, count: 200 * mels)
        var x = [Float](repeating: 0, count: 100 * model.shape.width)
        let cache = try ConvolutionCache(shape: model.shape)
        #expect(cache.changedPositions(mel, positions: 70) == 0..<70)
        cache.exchange(mel, positions: 70, changed: 0..<70, x: &x)
        #expect(cache.changedPositions(mel, positions: 70).isEmpty)
        #expect(cache.changedPositions(mel, positions: 71) == 69..<71)
        #expect(cache.changedPositions(mel, positions: 69) == 68..<69)
        for frame in frames { mel[frame * mels + frame % mels] = 1 }
        #expect(cache.changedPositions(mel, positions: 70) == positions)
    }
}
