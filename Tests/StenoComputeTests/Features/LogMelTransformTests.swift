import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

struct LogMelTransformTests {
    /// The definition, computed plainly in double precision, mel filters included.
    private struct Definition {
        let geometry: LogMelGeometry
        let filters: [[Double]]

        init(_ geometry: LogMelGeometry) {
            self.geometry = geometry
            let nyquist = Double(geometry.sampleRate) / 2
            guard geometry.filters == .slaney else {
                filters = Self.kaldi(geometry, low: 1127 * log(1 + 20.0 / 700), high: 1127 * log(1 + nyquist / 700))
                return
            }
            let edges = (0...geometry.melCount + 1).map {
                Self.hertz(Self.mels(nyquist) * Double($0) / Double(geometry.melCount + 1))
            }
            filters = (0..<geometry.melCount).map { band in
                let (low, peak, high) = (edges[band], edges[band + 1], edges[band + 2])
                return (0...geometry.transformLength / 2).map { bin in
                    let frequency = Double(geometry.sampleRate) * Double(bin) / Double(geometry.transformLength)
                    let height = min((frequency - low) / (peak - low), (high - frequency) / (high - peak))
                    return max(height, 0) * 2 / (high - low)
                }
            }
        }

        /// Triangles of height 1 on the scale of Kaldi.
        private static func kaldi(_ geometry: LogMelGeometry, low: Double, high: Double) -> [[Double]] {
            let width = (high - low) / Double(geometry.melCount + 1)
            return (1...geometry.melCount).map { band in
                (0...geometry.transformLength / 2).map { bin in
                    let frequency = Double(geometry.sampleRate) * Double(bin) / Double(geometry.transformLength)
                    let place = (1127 * log(1 + frequency / 700) - low) / width - Double(band)
                    return max(0, 1 - abs(place))
                }
            }
        }

        /// Slaney's scale: 3 mels for 200 Hz up to 1000 Hz, and 27 for a factor of 6.4 above.
        private static func mels(_ hertz: Double) -> Double {
            hertz < 1000 ? 3 * hertz / 200 : 15 + 27 * log(hertz / 1000) / log(6.4)
        }

        private static func hertz(_ mels: Double) -> Double {
            mels < 15 ? 200 * mels / 3 : 1000 * pow(6.4, (mels - 15) / 27)
        }

        /// The power spectrum of a windowed frame, as the sum that defines the transform of that length.
        private static func power(_ windowed: [Double], length: Int) -> [Double] {
            let turns = (0..<length).map { 2 * .pi * Double($0) / Double(length) }
            let cosines = turns.map { cos($0) }, sines = turns.map { sin($0) }
            return (0...length / 2).map { bin in
                var (re, im) = (0.0, 0.0)
                // Pointers and a counter: a loop over an array takes ten times as long where tests are not optimised.
                windowed.withUnsafeBufferPointer { windowed in
                    cosines.withUnsafeBufferPointer { cosines in
                        sines.withUnsafeBufferPointer { sines in
                            var (index, turn) = (0, 0)
                            while index < windowed.count {
                                re += windowed[index] * cosines[turn]
                                im += windowed[index] * sines[turn]
                                index += 1
                                turn += bin
                                if turn >= length { turn -= length }
                            }
                        }
                    }
                }
                return re * re + im * im
            }
        }

        func row(_ samples: ArraySlice<Float>) -> [Double] {
            let length = geometry.window == .periodicHann ? geometry.frameLength : geometry.frameLength - 1
            let power = geometry.window == .povey ? 0.85 : 1
            let windowed = samples.enumerated().map {
                Double($1) * pow(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)), power)
            }
            let spectrum = Self.power(windowed, length: geometry.transformLength)
            return filters.map { filter in
                let energy = zip(filter, spectrum).reduce(0) { $0 + $1.0 * $1.1 }
                let least = max(energy + Double(geometry.guardEnergy), Double(geometry.floor))
                return geometry.logarithm == .natural ? log(least) : log10(least)
            }
        }
    }

    static let geometries = [
        LogMelGeometry(), LogMelGeometry(melCount: 128),
        // FastConformer's.
        LogMelGeometry(
            transformLength: 512, window: .symmetricHann, logarithm: .natural, guardEnergy: 0x1p-24, floor: 0),
        // Kaldi's.
        LogMelGeometry(transformLength: 512, window: .povey, filters: .kaldi, logarithm: .natural, floor: .ulpOfOne),
        LogMelGeometry(sampleRate: 8000, transformLength: 256, frameLength: 200, hopLength: 80, melCount: 40),
        LogMelGeometry(sampleRate: 44_100, transformLength: 2048, frameLength: 1764, hopLength: 441, melCount: 64),
    ]

    @Test(arguments: geometries) func equalsTheDefinition(geometry: LogMelGeometry) throws {
        let transform = try LogMelTransform(geometry)
        let definition = Definition(geometry)
        let samples = TestAudio.noise(seed: 3, count: 4 * geometry.hopLength + geometry.frameLength + 1, gain: 0.3)
        let features = transform.features(samples)
        #expect(features.count == 5 * geometry.melCount)
        for frame in 0..<5 {
            let expected = definition.row(samples[(frame * geometry.hopLength)...].prefix(geometry.frameLength))
            let row = features[(frame * geometry.melCount)...].prefix(geometry.melCount)
            #expect(largestDistance(row, expected) < 2e-5)
        }
    }

    /// Whisper's geometry gives the features that are normalised for it.
    @Test func whispersGeometry() throws {
        let transform = try LogMelTransform(LogMelGeometry())
        let samples = TestAudio.noise(seed: 4, count: 1360, gain: 0.3)
        var rows = [Float](repeating: .nan, count: 7 * 80)
        let maximum = LogMelKernel.compute(samples, frames: 7, filterbank: MelFilterbank(count: 80), into: &rows)
        #expect(transform.features(samples) == rows)
        var same = rows
        #expect(transform.compute(samples, frames: 7, into: &same) == maximum && same == rows)
    }

    @Test func framesAreWhole() throws {
        let transform = try LogMelTransform(LogMelGeometry(frameLength: 300, hopLength: 100))
        for (count, frames) in [(0, 0), (299, 0), (300, 1), (399, 1), (400, 2), (1000, 8)] {
            #expect(transform.frames(in: count) == frames)
            #expect(
                transform.features([Float](repeating: 0, count: count)) == Array(repeating: -10, count: 80 * frames))
        }
    }

    @Test(arguments: [
        LogMelGeometry(transformLength: 401), LogMelGeometry(transformLength: 4096),
        LogMelGeometry(transformLength: 74),
        LogMelGeometry(transformLength: 300), LogMelGeometry(frameLength: 0), LogMelGeometry(frameLength: -1),
        LogMelGeometry(frameLength: 0, window: .symmetricHann), LogMelGeometry(frameLength: .max),
        LogMelGeometry(hopLength: 0), LogMelGeometry(melCount: 0), LogMelGeometry(melCount: 513),
        LogMelGeometry(sampleRate: 0),
        LogMelGeometry(floor: 0), LogMelGeometry(guardEnergy: .nan),
    ])
    func impossibleGeometriesAreRefused(geometry: LogMelGeometry) {
        expectError(.modelUnsupported, says: "\(geometry.transformLength)") { try LogMelTransform(geometry) }
    }
}
