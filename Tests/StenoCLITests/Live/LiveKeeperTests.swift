import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoCLI

/// What is on the disk while a session continues.
struct LiveKeeperTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("a.wav")
    }

    private func second(_ number: Int) -> AudioChunk {
        AudioChunk(position: number * 16_000, samples: [Float](repeating: Float(number) / 128, count: 16_000))
    }

    /// The length according to the header, which other programs rely on.
    private var seconds: Double? {
        get throws { try AudioFile.open(file).duration }
    }

    @Test func theHeaderOfAnOpenRecordingIsAtMostFiveSecondsOld() throws {
        let keeper = try LiveKeeper(files: [], audio: file.path, language: nil)
        for number in 0..<12 { try keeper.keep(second(number)) }
        #expect(try seconds == 10)
        try keeper.close()
        #expect(try seconds == 12)
    }

    @Test func missingAudioBecomesSilence() throws {
        let keeper = try LiveKeeper(files: [], audio: file.path, language: nil)
        try keeper.keep(second(0))
        try keeper.keep(second(40))
        try keeper.close()
        #expect(try seconds == 41)
        let samples = try AudioFile.open(file).allSamples()
        #expect(samples[16_000..<40 * 16_000].allSatisfy { $0 == 0 } && samples[40 * 16_000] == 40.0 / 128)
    }
}
