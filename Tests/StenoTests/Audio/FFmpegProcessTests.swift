import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

@Suite struct FFmpegLogTests {
    private func log(_ lines: String...) -> FFmpegLog {
        var log = FFmpegLog()
        for line in lines { log.add(line) }
        return log
    }

    @Test func tracksAndDurationAreTheInputs() {
        let film = log(
            "[info] Input #0, matroska,webm, from 'file:a.mkv':",
            "[info]     title           : Stream #0:7: Audio: none (default)",
            "[info]   Duration: 01:00:11.50, start: 0.000000, bitrate: 89 kb/s",
            "[info]   Stream #0:0: Video: h264 (High), yuv420p, 64x64, 25 fps (default)",
            "[info]   Stream #0:1(eng): Audio: vorbis, 44100 Hz, stereo, fltp",
            "[info]   Stream #0:2[0x2](ger): Audio: aac (LC), 48000 Hz, mono, fltp (default)",
            "[info] Stream mapping:", "[info]   Stream #0:2 -> #0:0 (aac (native) -> pcm_s16le (native))",
            "[info] Output #0, s16le, to 'pipe:1':", "[info]   Stream #0:0: Audio: pcm_s16le, 16000 Hz, mono (default)")
        #expect(film.isRecognised && film.hasVideo && film.audioTracks == [false, true])
        #expect(film.defaultTrack == 1 && film.duration == 3611.5)
        #expect(film.expectedDuration == nil, "the film may be longer than its audio")
    }

    @Test func aCoverIsNotAFilm() {
        let song = log(
            "[info] Input #0, mp3, from 'a.mp3':", "[info]   Duration: 00:00:11.05, start: 0.025057, bitrate: 1 kb/s",
            "[info]   Stream #0:0: Audio: mp3, 44100 Hz, stereo, fltp, 128 kb/s",
            "[info]   Stream #0:1: Video: mjpeg, yuvj420p, 100x100, 90k tbr (attached pic)")
        #expect(!song.hasVideo && song.defaultTrack == 0 && song.expectedDuration == 11.05)
    }

    @Test func anEstimatedDurationIsNotReliedOn() {
        let song = log(
            "[aac @ 0x559baeb389c0] [warning] Estimating duration from bitrate, this may be inaccurate",
            "[info] Input #0, aac, from 'a.aac':", "[info]   Duration: 00:00:10.89, bitrate: 131 kb/s",
            "[info]   Stream #0:0: Audio: aac (LC), 44100 Hz, stereo, fltp, 131 kb/s")
        #expect(song.duration == 10.89 && song.expectedDuration == nil)
        #expect(log("[info]   Duration: N/A, bitrate: N/A").duration == nil)
    }

    @Test func errorsAreCountedAndTheLastOnesAreKept() {
        let damaged = log(
            "first", "[aac @ 0x1] [error] Input buffer exhausted",
            "[error] Error while decoding stream #0:0: Invalid data found when processing input",
            "[mov @ 0x1] [error] stream 0, offset 0x1a4b9: partial file")
        #expect(damaged.damagedPackets == 1 && damaged.isCutOff && damaged.errors.count == 3)
        #expect(damaged.errors.last == "stream 0, offset 0x1a4b9: partial file")
        #expect(log("[hls @ 0x55] [error] Format not on whitelist 'aa'").refusedFormat == "hls")
    }
}

#if os(Linux) || os(macOS)
    /// The life of the ffmpeg process, with shell scripts in its place.
    @Suite(.serialized) struct FFmpegProcessTests {
        private let folder = TemporaryFolder.ofSuite()

        private func script(_ text: String) throws -> FFmpeg {
            try folder.script(text, as: "ffmpeg")
            return try #require(FFmpeg.find(in: "/no/such/folder:\(folder.url.path)"))
        }

        private func readAllOnThread(_ ffmpeg: FFmpeg) async throws -> [Float] {
            let file = try folder.file("talk.mp3", Array("ID3, whatever follows".utf8))
            return try await onThread { try readAll(AudioOpener(ffmpeg: ffmpeg).open(file)) }
        }

        @Test func foldersWithoutItAreSkippedAndAProgramThatDoesNotStartIsAnError() async throws {
            #expect(FFmpeg.find(in: "") == nil && FFmpeg.find(in: "/no/such/folder:\(folder.url.path)") == nil)
            _ = try folder.file("ffmpeg", [])
            #expect(FFmpeg.find(in: folder.url.path) == nil, "it is not executable")
            let gone = FFmpeg(path: folder.url.appendingPathComponent("gone").path)
            await expectAsyncError(.decoderMissing, says: "could not be run") { try await readAllOnThread(gone) }
        }

        @Test func samplesArriveWhole() async throws {
            // 0x0102 and 0x0304, written in odd pieces.
            let ffmpeg = try script(#"printf '\002'; printf '\001\004'; printf '\003'"#)
            #expect(try await readAllOnThread(ffmpeg) == [Float(0x0102) / 32_768, Float(0x0304) / 32_768])
        }

        @Test func failureShowsTheLastLinesOfTheLog() async throws {
            let ffmpeg = try script("printf 'ab'; seq 1 100000 >&2; echo 'the reason' >&2; exit 3")
            let error = await #expect(throws: StenoError.self) { try await readAllOnThread(ffmpeg) }
            #expect(error?.code == .audioDamaged)
            #expect(error?.message.hasSuffix("99999\n100000\nthe reason") == true, "\(error as Any)")
        }

        @Test func failureWithoutOutputShowsTheExitCodeEachTime() async throws {
            let ffmpeg = try script("exit 7")
            let file = try folder.file("talk.mp3", Array("ID3, whatever follows".utf8))
            let failures = try await onThread {
                let audio = try AudioOpener(ffmpeg: ffmpeg).open(file)
                return (0..<2).map { _ in Swift.Result { try readAll(audio) } }
            }
            for failure in failures { expectError(says: "exited(7)") { try failure.get() } }
        }

        /// A program that writes its process id to a named pipe, keeps it open, and never ends by itself.
        private func endless(_ last: String) throws -> (FFmpeg, alive: String) {
            let alive = try folder.namedPipe("alive").path
            return (try script("exec 3>'\(alive)'; echo $$ >&3; \(last)"), alive)
        }

        @Test(.timeLimit(.minutes(60)), arguments: ["exec cat /dev/zero", endlessProgram])
        func releasingEndsTheProcess(_ last: String) async throws {
            let (ffmpeg, alive) = try endless(last)
            let (number, rest) = try await onThread {
                var process: PipedProcess? = try PipedProcess(
                    ffmpeg.path, arguments: [], input: .openForReading("/dev/null"))
                // Opening and reading wait for the program, so it runs now.
                let handle = FileHandle(forReadingAtPath: alive)
                let number = process.flatMap { _ in handle?.availableData } ?? Data()
                process = nil
                // The named pipe ends with its last holder.
                return (String(decoding: number, as: UTF8.self), handle?.readDataToEndOfFile())
            }
            let identifier = try #require(pid_t(number.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(rest == Data())
            // It is reaped a moment after it ends.
            try await waitWhile(kill(identifier, 0) == 0)
            #expect(errno == ESRCH)
        }

        @Test(.timeLimit(.minutes(60))) func interruptingEndsAReadThatWaits() async throws {
            let (ffmpeg, alive) = try endless(endlessProgram)
            let file = try folder.file("talk.mp3", Array("ID3, whatever follows".utf8))
            let failures = try await onThread {
                let audio = try AudioOpener(ffmpeg: ffmpeg).open(file)
                let interruption = audio.interruption
                Thread.detachNewThread {
                    // Opening waits for the program, so the read has begun.
                    let handle = FileHandle(forReadingAtPath: alive)
                    interruption.interrupt()
                    withExtendedLifetime(handle) {}
                }
                return (0..<2).map { _ in Swift.Result { try readAll(audio) } }
            }
            for failure in failures { expectError(.cancelled) { try failure.get() } }
        }

        @Test(.timeLimit(.minutes(60))) func aProgramThatIgnoresItsPipeIsHarmless() async throws {
            let ffmpeg = try script("exec 0<&-; echo 'no, thank you' >&2; exit 1")
            let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
            let (zeros, interruption) = (try OwnedDescriptor.openForReading("/dev/zero"), try Interruption())
            PipePump(head: [1, 2, 3], from: zeros, to: writeEnd, interruption: interruption).start()
            await expectAsyncError(says: "no, thank you") {
                try await onThread {
                    try readAll(AudioOpener(ffmpeg: ffmpeg).open(readEnd, name: "Standard input", path: nil))
                }
            }
        }

        /// A program may ignore SIGCHLD, or its parent may have; the system then keeps no exit status.
        ///
        /// In its own process, to which a signal belongs as a whole.
        @Test(arguments: [
            ("printf 'abcd'", ["samples": 2]),
            ("echo 'talk.mp3: Invalid data found when processing input' >&2; exit 1", ["audioDamaged": 1]),
        ])
        func withoutAnExitStatusTheOutputDecides(_ text: String, _ expected: [String: Int]) async throws {
            #expect(try await report("unwaited", text) == expected)
        }

        /// What `StenoFuzzTool` reports of a recording that a script decodes.
        private func report(_ command: String, _ text: String) async throws -> [String: Int] {
            _ = try script(text)
            let file = try folder.file("talk.mp3", Array("ID3, whatever follows".utf8))
            let environment = ["PATH": folder.url.path + ":/usr/bin:/bin"]
            return try await onThread { try BuiltTool.report([command, file.path], environment: environment) }
        }

        /// In its own process, since other tests open and close descriptors too.
        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "there is no /proc/self/fd"))
        func nothingStaysOpen() async throws {
            let report = try await report("descriptors", "printf 'abcd'")
            #expect(report["samples"] == 200, "\(report)")
            // A run's last descriptor may be closed a moment later; one leaked by each run would make 100.
            #expect(try #require(report["growth"]) < 50, "\(report)")
        }
    }
#endif
