import Foundation
import StenoTestSupport
import Testing

@testable import Steno

/// An hour of audio through a pipe.
@Suite(.enabled(if: runsLongTests, "an hour of audio, and the figure needs the process for itself"))
struct LongStreamTests {
    @Test func memoryStaysFlatForAnHour() async throws {
        let rate = 44_100
        let format = try PCMFormat(.int16, sampleRate: rate, channels: 2)
        let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
        Thread.detachNewThread {
            let second = [UInt8]((0..<(rate * 4)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            for _ in 0..<3600 {
                var rest = second[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { write(writeEnd.rawValue, $0.baseAddress, $0.count) }
                    guard count > 0 else { return }
                    rest = rest.dropFirst(count)
                }
            }
            writeEnd.close()
        }
        let (count, growth) = try await onThread {
            let audio = try AudioOpener(ffmpeg: nil, format: format).open(readEnd, name: "Standard input", path: nil)
            let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 16_000)
            defer { buffer.deallocate() }
            var count = try audio.read(into: buffer)
            let before = residentMemory() ?? 0
            while case let more = try audio.read(into: buffer), more > 0 { count += more }
            return (count, (residentMemory() ?? 0) - before)
        }
        #expect(count == 3600 * 16_000)
        #expect(growth < 4 << 20, "\(growth) bytes")
    }
}
