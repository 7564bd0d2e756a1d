#if os(Linux) || os(macOS)
    import Foundation
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import Steno
    @testable import StenoAudio

    /// Files that are truncated, have several tracks or no audio, read with the real program.
    @Suite(.serialized, .needsFFmpeg) struct FFmpegFileTests {
        private let folder = TemporaryFolder.ofSuite()
        private let speech = Fixtures.file("real-speech/jfk.flac")
        private let other = Fixtures.file("speech/en-000.flac")

        private func make(_ name: String, _ arguments: [String]) async throws -> URL {
            let output = folder.url.appendingPathComponent(name)
            try await runFFmpeg(arguments + ["file:" + output.path])
            return output
        }

        private func convert(_ name: String, _ arguments: [String] = []) async throws -> URL {
            try await folder.convert(speech, to: name, arguments)
        }

        private func cut(_ file: URL, to part: Double = 0.6) throws -> URL {
            let bytes = try Data(contentsOf: file)
            let short = folder.url.appendingPathComponent("cut-" + file.lastPathComponent)
            try bytes.prefix(Int(Double(bytes.count) * part)).write(to: short)
            return short
        }

        private func read(_ file: URL, track: Int? = nil) async throws -> (count: Int, warnings: [TranscriptionWarning])
        {
            try await onThread {
                let audio = try AudioFile.open(file, track: track)
                let count = try readAll(audio).count
                return (count, audio.warnings)
            }
        }

        @Test(arguments: ["a.mp3", "a.flac", "a.opus", "a.ogg", "a.mkv", "a.webm", "a.aiff", "fast.m4a"])
        func aTruncatedFileIsReadWithOneWarning(_ name: String) async throws {
            let file = try await convert(name, name == "fast.m4a" ? ["-movflags", "+faststart"] : [])
            let whole = try await read(file)
            #expect(whole.warnings.isEmpty, "\(whole.warnings)")
            let short = try await read(cut(file))
            #expect((16_000..<whole.count * 3 / 4).contains(short.count))
            #expect(short.warnings.map(\.code) == [.audioTruncated])
            #expect(short.warnings.first?.message.contains("is cut off after") == true)
        }

        /// Their headers state no duration, but their last packet is incomplete.
        @Test(arguments: ["a.aac", "a.w64", "a.wma"]) func aCutLastPacketGivesAWarning(_ name: String) async throws {
            let file = try await convert(name)
            #expect(try await read(file).warnings.isEmpty)
            #expect(try await read(cut(file)).warnings.map(\.code) == [.audioDamaged])
        }

        @Test func anMP4FileWithoutItsIndexIsDamaged() async throws {
            let file = try await convert("a.m4a")
            await expectAsyncError(.audioDamaged, says: "is incomplete: the index at its end is missing") {
                try await read(cut(file))
            }
        }

        @Test func theDefaultTrackIsRead() async throws {
            let film = try await make(
                "two.mkv",
                ["-i", speech.path, "-i", other.path, "-map", "0", "-map", "1"]
                    + ["-disposition:a:0", "0", "-disposition:a:1", "default"])
            let (first, second) = (try await read(film, track: 1).count, try await read(film, track: 2).count)
            #expect(first > 10 * 16_000 && second < 6 * 16_000)
            #expect(try await read(film).count == second)
            let plain = try await make(
                "plain.mkv", ["-i", speech.path, "-i", other.path, "-map", "0", "-map", "1", "-disposition:a", "0"])
            #expect(try await read(plain).count == first, "without a default it is the first")
            let error = await #expect(throws: StenoError.self) { try await read(film, track: 3) }
            #expect(error?.code == .invalidOption)
            #expect(error?.message.hasSuffix("has no audio track 3: it has 2.") == true)
        }

        @Test func filesWithoutAudioAreIdentified() async throws {
            let film = try await make("a.mp4", ["-f", "lavfi", "-i", "testsrc=d=1:s=64x64"])
            let image = try await make("a.png", ["-f", "lavfi", "-i", "testsrc=d=1:s=64x64", "-frames:v", "1"])
            let files = [
                (film, "is a video without audio."), (image, "is an image (PNG), not a recording"),
                (try folder.write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", to: "a.svg"), "is an image (SVG)"),
                (try folder.write("Minutes of the meeting\n", to: "a.txt"), "is text"),
                (
                    try folder.file("a.bin", (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) | 0x80 }),
                    "has no audio format"
                ),
            ]
            for (file, part) in files { await expectAsyncError(.notAudio, says: part) { try await read(file) } }
        }

        @Test(arguments: ["a.flac", "a.mp3", "a.ogg", "a.opus", "a.m4a", "a.mkv", "a.aac", "a.wma"])
        func theDurationOfEveryFormatIsKnown(_ name: String) async throws {
            let file = try await convert(name)
            let count = try await read(file).count
            let duration = try #require(try await AudioFile.duration(of: file))
            // Headers count the padding of MP3 and AAC too.
            #expect(abs(duration - Double(count) / 16_000) < 0.15, "\(duration)")
            #expect(try await onThread { try AudioFile.open(file).duration } == (name == "a.flac" ? 11 : nil))
        }

        /// A film's audio may end before its pictures do.
        @Test func aFilmIsAsLongAsItsAudio() async throws {
            let film = try await make("film.mkv", ["-f", "lavfi", "-i", "testsrc=d=15:s=64x64:r=2", "-i", speech.path])
            let duration = try #require(try await AudioFile.duration(of: film))
            #expect(abs(duration - 11) < 0.1)
            #expect(try await read(film).warnings.isEmpty)
        }

        @Test func aPipeIsCopiedOnlyWhenItMustBe() throws {
            func needsSeeking(_ boxes: [(String, Int)]) throws -> Bool {
                let bytes = boxes.flatMap { name, size -> [UInt8] in
                    withUnsafeBytes(of: UInt32(size).bigEndian) { Array($0) } + Array(name.utf8)
                        + [UInt8](repeating: 0, count: size - 8)
                }
                let reader = ByteReader(try filledPipe(bytes), name: "a", interruption: try Interruption())
                return try MP4Boxes.needSeeking(reader, reader.read(upTo: 12))
            }
            #expect(try needsSeeking([("ftyp", 32), ("free", 8), ("mdat", 5000), ("moov", 99)]))
            #expect(try !needsSeeking([("ftyp", 32), ("free", 2000), ("moov", 99), ("mdat", 5000)]))
            #expect(try !needsSeeking([("ftyp", 24), ("moof", 99), ("mdat", 5000)]))
            #expect(try !needsSeeking([("ftyp", 24)]))
        }
    }
#endif
