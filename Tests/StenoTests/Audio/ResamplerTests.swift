import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct ResamplerTests {
    /// 44,056 and 37,801 Hz use the interpolated table.
    static let rates = [8_000, 11_025, 22_050, 24_000, 32_000, 37_801, 44_056, 44_100, 48_000, 96_000]

    private func resample(_ samples: [Float], from rate: Int, pieces: [Int] = [4096]) -> [Float] {
        let resampler = Resampler(from: rate)
        var output: [Float] = []
        var (position, turn) = (0, 0)
        func pull() {
            var buffer = [Float](repeating: .nan, count: pieces[turn % pieces.count])
            while true {
                let count = buffer.withUnsafeMutableBufferPointer { resampler.pull(into: $0) }
                if count == 0 { return }
                output += buffer[..<count]
            }
        }
        while position < samples.count {
            let end = min(samples.count, position + pieces[turn % pieces.count])
            samples[position..<end].withUnsafeBufferPointer { resampler.push($0) }
            position = end
            turn += 1
            pull()
        }
        resampler.finish()
        pull()
        return output
    }

    private func tone(_ frequency: Double, rate: Int, count: Int) -> [Float] {
        (0..<count).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / Double(rate) + 0.3)) }
    }

    /// The gain of a tone and the level of everything else, in decibels, away from the ends.
    private func measure(_ output: [Float], frequency: Double) -> (gain: Double, rest: Double) {
        let middle = output.indices.dropFirst(300).dropLast(300)
        var (ss, sc, cc, ys, yc, yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for index in middle {
            let angle = 2 * .pi * frequency * Double(index) / 16_000 + 0.3
            let (s, c, y) = (sin(angle), cos(angle), Double(output[index]))
            ss += s * s
            sc += s * c
            cc += c * c
            ys += y * s
            yc += y * c
            yy += y * y
        }
        let determinant = ss * cc - sc * sc
        let (a, b) = ((ys * cc - yc * sc) / determinant, (yc * ss - ys * sc) / determinant)
        let rest = max(1e-30, yy - a * ys - b * yc) / Double(middle.count)
        return (20 * log10(hypot(a, b) / 0.5), 10 * log10(rest / 0.125))
    }

    @Test(arguments: rates) func tonesBelowNineTenthsPassAndNothingIsAdded(_ rate: Int) {
        let nyquist = Double(min(rate, 16_000)) / 2
        for part in isLong ? [0.01, 0.25, 0.5, 0.7, 0.85, 0.9] : [0.01, 0.5, 0.9] {
            let output = resample(tone(part * nyquist, rate: rate, count: rate / 8), from: rate)
            let (gain, rest) = measure(output, frequency: part * nyquist)
            #expect(abs(gain) <= 0.1, "\(rate) Hz: gain of \(part * nyquist) Hz is \(gain) dB")
            #expect(rest <= -80, "\(rate) Hz: \(rest) dB besides \(part * nyquist) Hz")
        }
    }

    @Test(arguments: rates.filter { $0 > 16_000 }) func tonesAboveTheNewBandAreGone(_ rate: Int) {
        let top = Double(rate) / 2
        for part in isLong ? [0, 0.01, 0.05, 0.2, 0.5, 0.9, 0.99] : [0, 0.05, 0.9] {
            let frequency = 8_001 + (top - 8_001) * part
            let output = resample(tone(frequency, rate: rate, count: rate / 8), from: rate).dropFirst(300).dropLast(300)
            let power = output.reduce(0) { $0 + Double($1) * Double($1) } / Double(output.count)
            #expect(10 * log10(max(1e-30, power) / 0.125) <= -80, "\(rate) Hz: \(frequency) Hz")
        }
    }

    @Test(arguments: rates) func chunkSizesDoNotMatter(_ rate: Int) {
        let sound = noise(3000, seed: 1)
        let whole = resample(sound, from: rate, pieces: [100_000])
        for pieces in [[1], [7, 1, 300], [511]] { #expect(resample(sound, from: rate, pieces: pieces) == whole) }
    }

    @Test func theLengthIsRoundedUp() {
        for rate in Self.rates + [16_000, 1_000, 768_000] {
            for count in [0, 1, 2, 3, 440, 441, 442, 1000] {
                let output = resample([Float](repeating: 0.5, count: count), from: rate)
                #expect(output.count == (count * 16_000 + rate - 1) / rate, "\(count) at \(rate) Hz")
            }
        }
    }

    @Test(arguments: isLong ? rates : [8_000, 37_801, 44_100, 48_000]) func anImpulseStaysWhereItIsAndAConstantConstant(
        _ rate: Int
    ) {
        // One second in, which is a sample of both rates.
        var samples = [Float](repeating: 0, count: rate + rate / 4)
        samples[rate] = 1
        let output = resample(samples, from: rate)
        #expect(output.indices.max { output[$0] < output[$1] } == 16_000)
        #expect(abs(output[15_999] - output[16_001]) < 1e-6)
        let constant = resample([Float](repeating: 0.5, count: rate / 10), from: rate)
        #expect(constant.dropFirst(300).dropLast(300).allSatisfy { abs($0 - 0.5) < 1e-5 })
    }

    @Test func buffersAndTablesStaySmall() {
        let resampler = Resampler(from: 44_100)
        let chunk = [Float](repeating: 0.1, count: 8192)
        var buffer = [Float](repeating: 0, count: 4096)
        for _ in 0..<30 {
            chunk.withUnsafeBufferPointer { resampler.push($0) }
            while buffer.withUnsafeMutableBufferPointer({ resampler.pull(into: $0) }) > 0 {}
            #expect(resampler.bufferedCount <= chunk.count + 1000)
        }
        // Many fractions, a long filter, both.
        for (up, down) in [(16_000, 1_001), (16_000, 44_101), (1, 48), (160, 7_679), (16_000, 767_999)] {
            let table = PolyphaseTable(up: up, down: down)
            #expect((table.steps + 1) * table.taps <= 1 << 17, "\(up)/\(down)")
        }
    }
}
