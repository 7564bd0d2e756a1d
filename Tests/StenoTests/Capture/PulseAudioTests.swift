#if os(Linux)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import Steno
    @testable import StenoAudio
    @testable import StenoCore

    /// A microphone without the acoustics: playback is captured through the sound server, which CI has.
    @Suite(.serialized, .timeLimit(.minutes(60)), .needsPulseAudio) struct PulseAudioTests {
        private let folder = TemporaryFolder.ofSuite()

        @Test func theMonitorIsListed() async throws {
            let server = try await onThread { try PulseAudioServer() }
            let devices = try await PulseAudioRecorder(server.tools).devices
            #expect(devices.map(\.id) == ["speakers.monitor"])
            #expect(devices.map(\.isMonitor) == [true] && devices.map(\.isDefault) == [true])
            #expect(devices.map(\.sampleRate) == [44_100])
        }

        @Test func whatIsPlayedIsHeard() async throws {
            let server = try await onThread { try PulseAudioServer() }
            let (file, sound) = try chirp()
            let stream = try await MicrophoneSource(device: "speakers", tools: server.tools).start()
            #expect(stream.format == (try PCMFormat(.int16, sampleRate: 44_100)))
            var player: Task<Void, any Error>?
            var heard: [Float] = []
            var positions = 0
            for try await chunk in stream {
                // The recording runs, so it misses nothing of what is played from now on.
                player = player ?? Task { try await onThread { try server.play(file) } }
                #expect(chunk.position == positions)
                positions = chunk.end
                heard += chunk.samples
                // Nothing else plays, so the silence before the audio is exact; a little more than its length follows.
                if let onset = heard.firstIndex(where: { abs($0) > 0.05 }), heard.count > onset + sound.count + 1_600 {
                    stream.stop()
                }
            }
            try await player?.value
            #expect(bestCorrelation(of: sound, in: heard) > 0.99)
        }

        @Test func aServerThatGoesAwayIsAnError() async throws {
            let server = try await onThread { try PulseAudioServer() }
            var iterator = try await MicrophoneSource(device: nil, tools: server.tools).start().makeAsyncIterator()
            #expect(try await iterator.next()?.samples.isEmpty == false)
            try await onThread { try server.stop() }
            await expectAsyncError(.captureFailed, says: "parec") { while try await iterator.next() != nil {} }
        }

        /// A tone that climbs to 800 Hz, so that it fits in only one place, and a file of it.
        ///
        /// Half a second of silence comes first in the file: when a player begins, the server takes back what it
        /// had rendered ahead and the monitor had given out already, so the very front of a file is not to be heard.
        private func chirp() throws -> (file: URL, samples: [Float]) {
            let samples = (0..<24_000).map { index -> Float in
                let time = Double(index) / 16_000
                return Float(0.5 * cos(2 * .pi * (200 * time + 200 * time * time)))
            }
            let file = folder.url.appendingPathComponent("chirp.wav")
            try AudioFile.write(samples: [Float](repeating: 0, count: 8_000) + samples, to: file)
            return (file, samples)
        }

        /// The correlation at the place where the audio fits best, near where silence ends; 1 is the same audio.
        private func bestCorrelation(of sound: [Float], in heard: [Float]) -> Double {
            guard let onset = heard.firstIndex(where: { abs($0) > 0.05 }), heard.count >= onset + 100 + sound.count
            else { return 0 }
            return (max(0, onset - 100)...(onset + 100)).map { cosine(sound, heard[$0...].prefix(sound.count)) }
                .max() ?? 0
        }
    }

    /// A PulseAudio server of our own, with speakers that exist nowhere; it ends with the value.
    final class PulseAudioServer: Sendable {
        static let isInstalled = ["pulseaudio", "pactl", "paplay", "parec"].allSatisfy {
            (try? RecorderTools.installed.path(of: $0)) != nil
        }

        let tools: RecorderTools
        private let folder: TemporaryFolder

        /// Starts the server and returns when it is ready: the program that daemonizes it waits for that.
        init() throws {
            folder = try TemporaryFolder()
            let path = folder.url.path
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            var tools = RecorderTools(
                searchPath: RecorderTools.installed.searchPath,
                variables: [
                    "HOME": path, "XDG_RUNTIME_DIR": path, "PULSE_RUNTIME_PATH": path, "PULSE_STATE_PATH": path,
                    "PULSE_SERVER": "unix:\(path)/native", "PULSE_COOKIE": "\(path)/cookie",
                    // The programs of PipeWire, which are asked first, must not find one that runs on this machine.
                    "PIPEWIRE_RUNTIME_DIR": path, "PIPEWIRE_REMOTE": "none",
                    "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)/no-bus", "LC_ALL": "C",
                ])
            // The server is there: a busy machine may keep it and its programs waiting.
            tools.patience = .seconds(600)
            self.tools = tools
            try run(
                "pulseaudio",
                // Should the test end without ending it, it ends by itself.
                "-n", "--daemonize=yes", "--exit-idle-time=600", "--use-pid-file=yes", "--disable-shm=yes",
                "--log-target=file:\(path)/log", "-L", "module-null-sink sink_name=speakers rate=44100 channels=2",
                "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(path)/native")
        }

        deinit { try? stop() }

        func stop() throws { try run("pulseaudio", "--kill") }

        /// Plays a file and returns when it has been played.
        func play(_ file: URL) throws {
            // The server has the whole file before it plays, so a busy machine causes no gaps.
            try run("paplay", "--latency-msec=10000", file.path)
        }

        private func run(_ program: String, _ arguments: String...) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try tools.path(of: program))
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(tools.variables) { $1 }
            process.standardOutput = FileHandle.nullDevice
            let errors = try folder.write("", to: "errors")
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                let reason = try String(contentsOf: errors, encoding: .utf8)
                let log = try? String(contentsOf: folder.url.appendingPathComponent("log"), encoding: .utf8)
                throw PulseAudioFailure(description: "\(program) \(arguments) failed: \(reason)\n\(log ?? "")")
            }
        }
    }

    struct PulseAudioFailure: Error, CustomStringConvertible { let description: String }
#endif
