import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// A file that another program cuts off while it is read.
@Suite struct WAVTruncationTests {
    @Test(arguments: [16_000, 44_100]) func whatIsLeftIsReadAndNothingElse(rate: Int) throws {
        let folder = try TemporaryFolder()
        let wav = try WAVBuilder.simple(200_000, rate: rate)
        let file = try folder.file("a.wav", wav.bytes)
        let whole = try readAll(AudioOpener(ffmpeg: nil).open(file))
        let audio = try AudioOpener(ffmpeg: nil).open(file)
        var samples = [Float](repeating: 0, count: 1000)
        let count = try samples.withUnsafeMutableBufferPointer { try audio.read(into: $0) }
        samples.removeLast(samples.count - count)
        #expect(truncate(file.path, off_t(44 + 2 * 100_000)) == 0)
        samples += try readAll(audio)
        let left = 100_000 * 16_000 / rate
        #expect(samples.count >= left && samples.count <= left + 1)
        // Up to where the resampling filter meets the end.
        #expect(samples[..<(left - 100)] == whole[..<(left - 100)])
        // Cut within the header, too, it has an end.
        #expect(try audio.rewind())
        #expect(truncate(file.path, 10) == 0)
        #expect(try readAll(audio).isEmpty)
    }
}
