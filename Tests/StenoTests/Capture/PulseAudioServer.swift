#if os(Linux)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import Steno
    @testable import StenoAudio

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
                "--log-target=file:\(path)/log",
                "-L", "module-null-sink sink_name=speakers rate=44100 channels=2",
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

    struct PulseAudioFailure: Error, CustomStringConvertible {
        let description: String
    }
#endif
