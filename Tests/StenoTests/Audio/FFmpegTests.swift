#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import StenoAudio
    @testable import StenoCore

    /// Tests with the real program; CI has it.
    @Suite(.serialized, .needsFFmpeg) struct FFmpegTests {
        private let folder = TemporaryFolder.ofSuite()
        private let speech = Fixtures.file("nano-eval/en-01-stereo44k.flac")

        private func convert(_ name: String, _ arguments: [String] = []) async throws -> URL {
            try await folder.convert(speech, to: name, arguments)
        }

        private func read(_ url: URL) async throws -> [Float] {
            try await onThread { try readAll(AudioFile.open(url)) }
        }

        /// Reads a descriptor as standard input is read.
        private func read(_ descriptor: OwnedDescriptor) async throws -> [Float] {
            try await onThread {
                try readAll(AudioOpener(ffmpeg: .installed).open(descriptor, name: "Standard input", path: nil))
            }
        }

        /// The containers people have; MP4 and its relatives need a seek to their index at the end.
        @Test(arguments: [
            "a.mp3", "a.flac", "a.ogg", "a.opus", "a.m4a", "a.mp4", "a.mov", "a.3gp", "a.webm", "a.mkv", "a.aac",
            "a.wma", "a.aiff", "a.avi", "a.ts", "a.mpg", "a.flv", "a.ac3", "a.caf", "a.au", "a.w64", "a.wv", "a.tta",
        ])
        func everyFormatGivesFFmpegsSamples(_ name: String) async throws {
            let file = try await convert(name, name.hasSuffix("3gp") ? ["-c:a", "aac"] : [])
            let raw = folder.url.appendingPathComponent("a.raw")
            try await runFFmpeg(["-i", file.path, "-f", "s16le", "-ac", "1", "-ar", "16000", raw.path])
            let expected = try await onThread {
                try readAll(AudioOpener(ffmpeg: nil, format: PCMFormat(.int16, sampleRate: 16_000)).open(raw))
            }
            #expect(expected.count > 16_000)
            #expect(try await read(file) == expected)
        }

        @Test func aPipeGivesWhatTheFileGives() async throws {
            for name in ["a.flac", "a.ogg"] {
                let file = try await convert(name)
                #expect(try await read(pipe(of: file)) == read(file), "\(name)")
            }
            // ffmpeg cuts the padding at the end of an MP3 only when it can look there first.
            let file = try await convert("a.mp3")
            let (fromPipe, fromFile) = (try await read(pipe(of: file)), try await read(file))
            #expect(fromPipe.count - fromFile.count < 1200)
            #expect(fromPipe[..<(fromFile.count - 1200)] == fromFile[..<(fromFile.count - 1200)])
        }

        @Test func aRedirectedFileIsSeekable() async throws {
            // In MP4 the index stands at the end; a pipe is copied to a file for that.
            let file = try await convert("a.m4a")
            let expected = try await read(file)
            #expect(try await read(pipe(of: file)) == expected)
            #expect(try await read(.openForReading(file.path)) == expected)
            let path = file.path
            let (first, canRewind, second) = try await onThread {
                let audio = try AudioOpener(ffmpeg: .installed)
                    .open(.openForReading(path), name: "Standard input", path: nil)
                return (try readAll(audio), try audio.rewind(), try readAll(audio))
            }
            #expect(first == expected && canRewind && second == expected)
        }

        @Test func unreadableFilesAndPipesSaySo() async throws {
            let text = try folder.write("This is no audio at all, it is a sentence.", to: "talk.xyz")
            // ffmpeg's own words repeat the name it was given.
            await expectAsyncError(.notAudio, says: "is text, not a recording", "file:" + text.path) {
                try await read(text)
            }
            await expectAsyncError(.notAudio) { try await read(pipe(of: text)) }
            // Some audio can be read only from a file.
            let damaged = try folder.file("b", Array("FLV but not really".utf8))
            await expectAsyncError(.audioDamaged, says: "save it and name the file") {
                try await read(pipe(of: damaged))
            }
        }

        @Test func wavCodecsOtherThanPCM() async throws {
            for codec in ["pcm_mulaw", "adpcm_ms"] {
                let file = try await convert("a.wav", ["-c:a", codec])
                let samples = try await read(file)
                #expect(samples.count > 16_000)
                #expect(try await read(pipe(of: file)) == samples, "the bytes that were examined are not lost")
            }
        }

        @Test func aWAVPipeOfFFmpegIsReadNatively() async throws {
            let file = try await convert("a.wav", ["-ar", "16000", "-ac", "1"])
            let streamed = folder.url.appendingPathComponent("streamed.wav")
            try await runFFmpeg(["-i", file.path, "-f", "wav", "-seekable", "0", streamed.path])
            let head = try Data(contentsOf: streamed).prefix(8)
            #expect(Array(head[4...]) == [255, 255, 255, 255], "ffmpeg could not know the length")
            #expect(try await read(streamed) == read(file))
        }

        @Test func rewindDecodesAgain() async throws {
            let file = try await convert("a.mp3")
            let passes = try await onThread {
                let audio = try AudioFile.open(file)
                var buffer = [Float](repeating: 0, count: 1000)
                let count = try buffer.withUnsafeMutableBufferPointer { try audio.read(into: $0) }
                var passes = [Array(buffer[..<count])]
                for _ in 0..<2 {
                    guard try audio.rewind() else { break }
                    passes.append(try readAll(audio))
                    passes.append(try readAll(audio))
                }
                return passes
            }
            try #require(passes.count == 5)
            #expect(passes[1].count > 16_000 && passes[1].starts(with: passes[0]) && !passes[0].isEmpty)
            #expect(passes[3] == passes[1] && passes[2].isEmpty && passes[4].isEmpty)
        }
    }
#endif
