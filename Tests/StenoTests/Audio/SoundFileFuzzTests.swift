#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import Steno
    @testable import StenoAudio
    @testable import StenoCore

    /// Compressed recordings with random damage, read with libsndfile.
    @Suite(
        .enabled(if: hasFFmpeg, "ffmpeg is not installed"),
        .enabled(if: SoundFileLibrary.installed != nil || mustRun, "libsndfile is not installed"))
    struct SoundFileFuzzTests {
        @Test(.timeLimit(.minutes(60)), arguments: ["flac", "mp3", "ogg", "opus"])
        func damagedFilesGiveSamplesOrAReadableError(_ codec: String) async throws {
            let library = try #require(SoundFileLibrary.installed)
            let folder = try TemporaryFolder()
            let file = folder.url.appendingPathComponent("a.\(codec)")
            try await runFFmpeg([
                "-i", "file:" + Fixtures.file("speech/en-000.flac").path, "-ar", "16000", "-ac", "1",
                "file:" + file.path,
            ])
            try await onThread {
                let seed = Array(try Data(contentsOf: file).prefix(20_000))
                var random = SplitMix64(seed: 7, name: codec)
                for index in 0..<WAVFuzzTests.count / 4 {
                    let bytes = Mutation.apply(to: seed, using: &random)
                    // `Data.write` waits for the disk, which takes longer than everything else here.
                    #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
                    try FileHandle(forWritingTo: file).write(contentsOf: bytes)
                    do {
                        let samples = try readAll(AudioOpener(ffmpeg: nil, soundFiles: library).open(file))
                        #expect(samples.allSatisfy { abs($0) <= 1 }, "mutation \(index)")
                    } catch let error as StenoError {
                        #expect(error.message.count > 20, "mutation \(index): \(error)")
                    }
                }
            }
        }
    }
#endif
