#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import Steno
    @testable import StenoAudio
    @testable import StenoCore

    /// Recordings that ffmpeg encoded, read with the system's libsndfile as if ffmpeg were not installed.
    @Suite(.serialized, .needsFFmpeg, .needsSoundFileLibrary) struct SoundFileTests {
        private let folder = TemporaryFolder.ofSuite()
        private let speech = Fixtures.file("speech/en-000.flac")

        /// The speech in another format, at the rate of the engine unless the arguments say otherwise.
        private func convert(_ name: String, _ arguments: [String] = ["-ar", "16000", "-ac", "1"]) async throws -> URL {
            try await folder.convert(speech, to: name, arguments)
        }

        private func open(_ file: URL, channel: Int? = nil) throws -> AudioFile {
            let library = try #require(SoundFileLibrary.installed)
            return try AudioOpener(ffmpeg: nil, soundFiles: library, channel: channel).open(file)
        }

        private func samples(_ file: URL) async throws -> [Float] { try await onThread { try readAll(open(file)) } }

        /// ffmpeg rounds to 16 bits, decoders of lossy formats also round differently within, and ffmpeg decodes Opus at 48 kHz and
        /// resamples it, while libsndfile decodes it at 16 kHz: a sample earlier or later the difference would be 0.4.
        @Test(arguments: [("a.flac", 1), ("a.mp3", 3), ("a.ogg", 3), ("a.opus", 1_000), ("a.aiff", 1), ("a.caf", 1)])
        func theSamplesAreThoseOfFFmpeg(_ name: String, steps: Float) async throws {
            let file = try await convert(name)
            let expected = try await onThread { try readAll(AudioOpener(ffmpeg: .installed).open(file)) }
            let samples = try await samples(file)
            // Padding that the format marks is cut by both; ffmpeg resamples Opus from 48 kHz.
            #expect(name == "a.opus" ? abs(samples.count - expected.count) <= 1 : samples.count == expected.count)
            let largest = zip(samples, expected).map { abs($0 - $1) }.max()
            #expect(try #require(largest) <= steps / 32768)
        }

        /// A codec's settings, of which each of thirty files has another combination.
        private struct Codec: CustomTestStringConvertible {
            var name: String
            var rates: [Int]
            var settings: [[String]]
            /// The largest difference of a sample.
            var steps: Float
            /// ffmpeg's own decoder of Opus shifts speech of low quality by a fraction of a sample.
            var decoder: [String] = []
            /// ffmpeg does not cut the last page of Ogg Vorbis where the recording ends, so its last samples are not compared.
            var ending = 0

            var testDescription: String { name }

            static let all = [
                Codec(
                    name: "flac", rates: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000],
                    settings: [["-compression_level", "0"], ["-compression_level", "12"], ["-sample_fmt", "s32"]],
                    steps: 0.01),
                Codec(
                    name: "mp3", rates: [8_000, 16_000, 22_050, 32_000, 44_100, 48_000, 11_025],
                    settings: [["-b:a", "48k"], ["-q:a", "0"], ["-q:a", "9"], ["-b:a", "64k", "-write_xing", "0"]],
                    steps: 3),
                Codec(
                    name: "ogg", rates: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000],
                    settings: [["-q:a", "0"], ["-q:a", "4"], ["-q:a", "9"]], steps: 3, ending: 1_000),
                // Of lower rates, libsndfile decodes Opus at 8 to 16 kHz and ffmpeg at 48, which is not the same speech.
                Codec(
                    name: "opus", rates: [24_000, 48_000],
                    settings: [
                        ["-b:a", "12k"], ["-b:a", "32k", "-frame_duration", "60"],
                        ["-b:a", "96k", "-frame_duration", "2.5"], ["-b:a", "64k", "-application", "audio"],
                    ], steps: 1_000, decoder: ["-c:a", "libopus"]),
            ]
        }

        /// Rates, channels, qualities and lengths that end anywhere in a frame of the codec.
        @Test(.enabled(if: isLong, "STENO_LONG is not set"), arguments: Codec.all)
        private func thirtyFilesOfEachCodecAreAsFFmpegDecodesThem(_ codec: Codec) async throws {
            for index in 0..<30 {
                let cut = ["-ss", "\(Double(index % 4) / 10)", "-t", "\(0.03 + 0.0617 * Double(index * 7 % 30))"]
                let format = ["-ar", "\(codec.rates[index % codec.rates.count])", "-ac", "\(1 + index / 2 % 2)"]
                let file = try await convert(
                    "\(index).\(codec.name)", cut + format + codec.settings[index % codec.settings.count])
                let (wav, original) = (
                    folder.url.appendingPathComponent("\(index).wav"), try await convert("o\(index).wav", cut + format)
                )
                try await runFFmpeg(
                    codec.decoder + ["-i", "file:" + file.path, "-c:a", "pcm_f32le", "file:" + wav.path])
                let expected = try await onThread { try readAll(AudioOpener(ffmpeg: nil).open(wav)) }
                let count = try await onThread { try readAll(AudioOpener(ffmpeg: nil).open(original)).count }
                let samples = try await samples(file)
                // MP3 without the header of LAME does not say where it ends.
                let isWhole = codec.name == "mp3" ? samples.count == expected.count : abs(samples.count - count) <= 1
                #expect(isWhole, "file \(index): \(samples.count) samples of \(count), \(expected.count) by ffmpeg")
                let compared = max(0, min(samples.count, expected.count) - codec.ending)
                let largest = zip(samples, expected).prefix(compared).map { abs($0 - $1) }.max() ?? 0
                #expect(largest <= codec.steps / 32768, "file \(index): \(largest)")
            }
        }

        /// As with WAV, which is read natively: FLAC has the same samples.
        @Test func otherRatesAndChannelsBecomeOne() async throws {
            let stereo = ["-ar", "44100", "-af", "pan=stereo|c0=c0|c1=0.5*c0"]
            let file = try await convert("a.flac", stereo)
            let wav = try await convert("a.wav", stereo)
            let mixed = try await samples(file)
            let native = try await onThread { try readAll(AudioOpener(ffmpeg: nil).open(wav)) }
            #expect(mixed == native)
            let right = try await onThread { try readAll(open(file, channel: 1)) }
            let nativeRight = try await onThread { try readAll(AudioOpener(ffmpeg: nil, channel: 1).open(wav)) }
            #expect(right == nativeRight)
            await expectAsyncError(.invalidOption, says: "no channel 3") {
                try await onThread { try readAll(open(file, channel: 2)) }
            }
        }

        @Test func aPipeIsCopiedFirst() async throws {
            let file = try await convert("a.mp3")
            let expected = try await samples(file)
            let readEnd = try pipe(of: file)
            let library = try #require(SoundFileLibrary.installed)
            let piped = try await onThread {
                try readAll(
                    AudioOpener(ffmpeg: nil, soundFiles: library).open(readEnd, name: "Standard input", path: nil))
            }
            #expect(piped == expected)
        }

        @Test(arguments: ["a.flac", "a.ogg"])
        func rewindDecodesAgainAndTheHeaderHasTheDuration(_ name: String) async throws {
            let file = try await convert(name)
            let (duration, first, canRewind, second) = try await onThread {
                let audio = try open(file)
                return (audio.duration, try readAll(audio), try audio.rewind(), try readAll(audio))
            }
            #expect(canRewind && first == second && first.count > 16_000)
            #expect(abs(try #require(duration) - Double(first.count) / 16_000) < 0.001)
        }

        @Test(arguments: ["a.flac", "a.ogg", "a.opus"])
        func aTruncatedFileIsReadWithAWarning(_ name: String) async throws {
            let file = try await convert(name)
            let whole = try await samples(file)
            let bytes = try Data(contentsOf: file)
            try bytes.prefix(bytes.count * 6 / 10).write(to: file)
            let (count, warnings) = try await onThread {
                let audio = try open(file)
                return (try readAll(audio).count, audio.warnings)
            }
            #expect((8_000..<whole.count * 4 / 5).contains(count))
            #expect(warnings.map(\.code) == [.audioTruncated])
        }

        @Test func whatTheLibraryDoesNotKnowNeedsFFmpeg() async throws {
            for name in ["a.m4a", "a.mkv"] {
                let file = try await convert(name)
                await expectAsyncError(.decoderMissing, says: "ffmpeg") { try await samples(file) }
            }
        }
    }

    @Suite struct SoundFileLibraryTests {
        @Test func anotherLibraryIsNotTakenAndWithoutAnyTheErrorNamesFFmpeg() throws {
            #expect(SoundFileLibrary(path: "libc.so.6") == nil)
            #expect(SoundFileLibrary(path: "/nowhere/libsndfile.so.1") == nil)
            let error = try stenoError { try readFile(Array("fLaC".utf8) + [UInt8](repeating: 0, count: 100)) }
            #expect(error.code == .decoderMissing && error.message.contains("ffmpeg"))
        }
    }
#endif
