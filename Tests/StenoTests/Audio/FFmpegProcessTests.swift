#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import StenoWhisper
    import Testing

    @testable import Steno
    @testable import StenoAudio
    @testable import StenoCore

    /// The life of the ffmpeg process, with shell scripts in its place.
    @Suite(.serialized) struct FFmpegProcessTests {
        private let folder = TemporaryFolder.ofSuite()

        /// A stand-in for ffmpeg.
        private func script(_ text: String) throws -> FFmpeg {
            try folder.script(text, as: "ffmpeg")
            return try #require(FFmpeg.find(in: "/no/such/folder:\(folder.url.path)"))
        }

        private func readAllOnThread(_ ffmpeg: FFmpeg) async throws -> [Float] {
            let file = try folder.file("talk.mp3", Array("ID3, whatever follows".utf8))
            return try await onThread { try readAll(AudioOpener(ffmpeg: ffmpeg).open(file)) }
        }

        @Test func foldersWithoutItAreSkipped() throws {
            #expect(FFmpeg.find(in: "") == nil)
            #expect(FFmpeg.find(in: "/no/such/folder:\(folder.url.path)") == nil)
            _ = try folder.file("ffmpeg", [])
            #expect(FFmpeg.find(in: folder.url.path) == nil, "it is not executable")
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

        @Test func aProgramThatDoesNotStart() async throws {
            let gone = FFmpeg(path: folder.url.appendingPathComponent("gone").path)
            await expectAsyncError(.decoderMissing, says: "could not be run") { try await readAllOnThread(gone) }
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

        @Test(.timeLimit(.minutes(60))) func interruptingEndsAReadOfASilentPipe() async throws {
            let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
            let header = try WAVBuilder.simple(0).bytes
            #expect(write(writeEnd.rawValue, header, header.count) == header.count)
            let failure = try await onThread {
                let audio = try AudioOpener(ffmpeg: nil).open(readEnd, name: "Standard input", path: nil)
                let interruption = audio.interruption
                Thread.detachNewThread { interruption.interrupt() }
                return Swift.Result { try readAll(audio) }
            }
            expectError(.cancelled) { try failure.get() }
            writeEnd.close()
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
        @Test func aMissingExitStatusAfterTheAudioIsSuccess() async throws {
            _ = try script("printf 'abcd'")
            let file = try folder.file("talk.mp3", Array("ID3, whatever follows".utf8))
            let environment = ["PATH": folder.url.path + ":/usr/bin:/bin"]
            let report = try await onThread { try BuiltTool.report(["unwaited", file.path], environment: environment) }
            #expect(report == ["samples": 2])
        }

        @Test func aMissingExitStatusAfterAnErrorIsNot() async throws {
            _ = try script("echo 'talk.mp3: Invalid data found when processing input' >&2; exit 1")
            let file = try folder.file("talk.mp3", Array("ID3, whatever follows".utf8))
            let environment = ["PATH": folder.url.path + ":/usr/bin:/bin"]
            let report = try await onThread { try BuiltTool.report(["unwaited", file.path], environment: environment) }
            #expect(report == ["audioDamaged": 1])
        }

        /// In its own process, since other tests open and close descriptors too.
        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "there is no /proc/self/fd"))
        func nothingStaysOpen() async throws {
            _ = try script("printf 'abcd'")
            let file = try folder.file("talk.mp3", Array("ID3, whatever follows".utf8))
            let environment = ["PATH": folder.url.path + ":/usr/bin:/bin"]
            let report = try await onThread {
                try BuiltTool.report(["descriptors", file.path], environment: environment)
            }
            #expect(report["samples"] == 200, "\(report)")
            // A run's last descriptor may be closed a moment later; one leaked by each run would make 100.
            #expect(try #require(report["growth"]) < 50, "\(report)")
        }
    }
#endif
