import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

struct MemoryEstimateTests {
    private static let largeV3 = ModelShape(
        melCount: 128, audioContext: 1500, textContext: 448, width: 1280, encoderHeads: 20, decoderHeads: 20,
        encoderLayers: 32, decoderLayers: 32, vocabularySize: 51866)

    private func estimate(
        _ precision: Precision = .float32, _ change: (inout TranscriptionOptions) -> Void = { _ in }
    ) -> MemoryEstimate {
        MemoryEstimate(Self.largeV3, precision: precision, options: TranscriptionOptions().with(change))
    }

    @Test(arguments: [Precision.float32, .int8]) func manyLanesOfManyBeamsAreRefused(precision: Precision) {
        let request = estimate(precision) { ($0.batchSize, $0.whisper.beamSize) = (64, 64) }
        expectError(.invalidOption, says: "25 GB", "batch size", "beam size", "best of") {
            try request.check(available: 24 << 30)
        }
        #expect(throws: Never.self) { try request.check(available: UInt64(request.bytes)) }
        #expect(throws: StenoError.self) { try request.check(available: UInt64(request.bytes) - 1) }
    }

    @Test(arguments: [Precision.float32, .int8]) func theDefaultsFit(precision: Precision) throws {
        try estimate(precision).check(available: 24 << 30)
        try estimate(precision) { $0.batchSize = 8 }.check(available: 24 << 30)
        try estimate(precision).check(available: 2 << 30)
    }

    @Test func theEstimateGrowsWithEachCost() {
        let usual = estimate().bytes
        #expect(estimate { $0.batchSize = 2 }.bytes > usual)
        #expect(estimate { $0.whisper.beamSize = 10 }.bytes > usual)
        #expect(estimate { $0.whisper.bestOf = 10 }.bytes > usual)
        #expect(estimate(.int8).bytes < usual)
    }

    /// The largest shape that can be loaded, with the most lanes and beams.
    @Test func theLargestRequestIsANumber() {
        let shape = ModelShape(
            melCount: 512, audioContext: 10_000, textContext: 512, width: 16_384, encoderHeads: 256, decoderHeads: 256,
            encoderLayers: 128, decoderLayers: 128, vocabularySize: 1_000_000)
        let options = TranscriptionOptions().with {
            ($0.batchSize, $0.whisper.beamSize, $0.whisper.bestOf) = (64, 64, 64)
        }
        #expect(throws: StenoError.self) {
            try MemoryEstimate(shape, precision: .float32, options: options).check(available: 1 << 40)
        }
    }

    /// At least the decoder's buffers, which are measured in elements.
    @Test func itCoversTheAllocations() throws {
        let model = try SmallModel.load()
        for (lanes, beams) in [(1, 1), (1, 5), (4, 2), (16, 8)] {
            let options = TranscriptionOptions().with {
                $0.batchSize = lanes
                ($0.whisper.beamSize, $0.whisper.bestOf) = (beams, 1)
            }
            let state = try DecoderState(
                shape: model.shape, decoder: model.decoder, precision: .float32, hypotheses: options.whisper.hypotheses,
                lanes: lanes, context: ComputeContext(pool: model.pool))
            let encoder = try EncoderState(
                shape: model.shape, encoder: model.encoder, precision: .float32,
                context: ComputeContext(pool: model.pool))
            let slots = lanes * DecoderState.slots(shape: model.shape, hypotheses: options.whisper.hypotheses)
            let cache = slots * model.shape.width * 2 * model.shape.decoderLayers
            let crossAttention = lanes * model.shape.audioContext * model.shape.width * 2 * model.shape.decoderLayers
            let floats =
                state.logits.count + state.x.count + state.y.count + state.wide.count + state.crossProjection.count
                + encoder.mel.count + cache + crossAttention
            let estimate = MemoryEstimate(model.shape, precision: .float32, options: options).bytes
            #expect(estimate >= 4 * floats, "\(lanes) lanes of \(beams) beams")
            #expect(estimate < 8 * floats, "\(lanes) lanes of \(beams) beams")
        }
    }
}
