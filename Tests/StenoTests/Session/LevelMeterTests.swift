import Foundation
import StenoTestSupport
import Testing

@testable import Steno

@Suite struct LevelMeterTests {
    private func sine(_ amplitude: Double) -> [Float] {
        (0..<1_600).map { Float(amplitude * sin(2 * .pi * 1_000 * Double($0) / 16_000)) }
    }

    @Test(arguments: [(1, -3.0103, 0), (0.5, -9.0309, -6.0206), (0.001, -63.0103, -60)])
    func aSineHasItsLevels(_ amplitude: Double, rms: Double, peak: Double) throws {
        var meter = LevelMeter()
        let levels = meter.append(sine(amplitude))
        let level = try #require(levels.first)
        #expect(levels.count == 1)
        #expect(abs(level.rms - rms) < 0.001)
        #expect(abs(level.peak - peak) < 0.001)
    }

    @Test func silenceAndFullScaleAreTheLimits() throws {
        var meter = LevelMeter()
        let levels = meter.append([Float](repeating: 0, count: 1_600) + [Float](repeating: -1, count: 1_600))
        #expect(levels.map(\.rms) == [-120, 10 * log10(1 + 1e-12)])
        #expect(levels.map(\.peak) == [-120, 10 * log10(1 + 1e-12)])
        #expect(meter.append([Float](repeating: .nan, count: 1_600)).map(\.rms) == [-120])
    }

    @Test func chunkSizesDoNotMatter() throws {
        var random = SplitMix64(seed: 4)
        let sound = random.uniform(count: 10_000, centre: 0, span: 1)
        var whole = LevelMeter()
        let expected = whole.append(sound)
        var meter = LevelMeter()
        var (levels, rest) = ([AudioLevel](), sound[...])
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...2_000, using: &random))
            levels += meter.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        #expect(levels == expected)
        #expect(meter.position == 9_600)
        #expect(meter.finish() == whole.finish())
        #expect(meter.position == 10_000)
        #expect(meter.finish() == nil)
    }

    @Test func theIntervalIsClamped() {
        #expect(LevelMeter(interval: 0.02).length == 320)
        #expect(LevelMeter(interval: 0).length == 16)
        #expect(LevelMeter(interval: .nan).length == 1_600)
        #expect(LevelMeter(interval: .infinity).length == 960_000)
    }
}
