import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper
@_spi(Benchmarks) @testable import StenoWhisper

@Suite struct WindowStagesTests {
    /// If a text could end by itself, its measurement would be too short.
    @Test(arguments: [1, 5]) func aTextEndsExactlyAtTheLimit(beams: Int) throws {
        let stages = try Self.stages()
        try Self.encode(stages)
        try stages.start(beams: beams)
        for _ in 0..<stages.stepLimit { try stages.step() }
        #expect(try stages.lane.found() == nil, "the search is not over")
        try stages.step()
        let found = try #require(try stages.lane.found())
        #expect(found.tokens.count == stages.stepLimit + 2)
        #expect(throws: StenoError.self) { try stages.step() }
    }

    /// If the prompt were already in the cache, the next start would appear faster.
    @Test func everyStartRunsThePrompt() throws {
        let stages = try Self.stages()
        try Self.encode(stages)
        for _ in 0..<2 {
            try stages.start(beams: 5)
            #expect(stages.lane.prompt?.tokens.count == stages.promptCount)
            try stages.step()
        }
        let greedy = try Self.greedyTokens(stages)
        #expect(try Self.greedyTokens(stages) == greedy)
    }

    @Test func previousTextIsPartOfThePrompt() throws {
        let plain = try Self.stages()
        let long = try Self.stages(previousTokens: 20)
        #expect(long.promptCount == plain.promptCount + 21)
        try Self.encode(long)
        try long.start(beams: 1)
        try long.step()
    }

    /// The stages are the engine's own: a window encoded in one call gives the same result.
    @Test func stagesEqualAWindows() throws {
        let stages = try Self.stages()
        try Self.encode(stages)
        let expected = try Self.greedyTokens(stages)
        try stages.computeFeatures()
        try stages.lane.encode(positions: SmallModel.shape.audioContext)
        #expect(try Self.greedyTokens(stages) == expected)
    }

    @Test func theFeaturesAreThirtySecondsOfNoise() throws {
        let model = SmallModel.shape
        let stages = try Self.stages()
        try stages.computeFeatures()
        let count = 2 * model.audioContext * model.mels
        let features = UnsafeBufferPointer(start: stages.lane.frames, count: count)
        let expected = LogMel.compute(stages.samples, filterbank: MelFilterbank(count: model.mels))
        #expect(stages.samples.count == 2 * model.audioContext * 160)
        #expect(Array(features) == expected)
        #expect(Set(features).count > count / 2, "noise differs everywhere")
    }

    private static func stages(previousTokens: Int = 0) throws -> WindowStages {
        try SmallModel.with { folder in
            try WindowStages(WhisperModel.load(folder: folder, threads: 1), previousTokens: previousTokens)
        }
    }

    private static func encode(_ stages: WindowStages) throws {
        try stages.computeFeatures()
        stages.encode()
        stages.fillCrossAttentionCache()
    }

    private static func greedyTokens(_ stages: WindowStages) throws -> [Int]? {
        try stages.start(beams: 1)
        for _ in 0...stages.stepLimit { try stages.step() }
        return try stages.lane.found()?.tokens
    }
}
