import Foundation
import StenoTestSupport
import Testing

@testable import Steno

/// Recordings whose program was killed.
struct WAVRepairTests {
    private let samples = (0..<40_000).map { Float(Int16(truncatingIfNeeded: $0 * 7919)) / 32_768 }
    private let folder = TemporaryFolder.ofSuite()
    private var file: URL { folder.url.appendingPathComponent("a.wav") }

    private func record(updatingEvery seconds: Double? = 1) throws -> Data {
        let writer = try WAVWriter(file, updatingEvery: seconds)
        try writer.write(samples)
        try writer.close()
        return try Data(contentsOf: file)
    }

    /// The header is as old as the last update, or as it was in the beginning; half a sample is at the end.
    @Test(arguments: [16_000, 0]) func theSizesAreCompleted(known: UInt32) throws {
        let complete = try record()
        var bytes = complete
        let (data, file): (UInt32, UInt32) = known == 0 ? (.max, .max) : (known * 2, known * 2 + 72)
        for (offset, size) in [(4, file), (76, data)] {
            for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(byte))) }
        }
        try (bytes + [1]).write(to: self.file)
        #expect(try WAVRepair.repair(self.file))
        #expect(try Data(contentsOf: self.file) == complete)
        #expect(try AudioFile.open(self.file).allSamples() == samples)
        #expect(try !WAVRepair.repair(self.file), "it is complete")
    }

    @Test func otherFilesStayAsTheyAre() throws {
        for content in [try record(updatingEvery: nil), Data("RIFF of something else".utf8), Data()] {
            try content.write(to: file)
            #expect(try !WAVRepair.repair(file))
            #expect(try Data(contentsOf: file) == content)
        }
        #expect(throws: StenoError.self) { try WAVRepair.repair(folder.url.appendingPathComponent("none.wav")) }
    }
}
