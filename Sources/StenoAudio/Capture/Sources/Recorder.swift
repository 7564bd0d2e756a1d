#if os(Linux)
    import Foundation
    import StenoCore
    import Subprocess
    import SystemPackage

    /// A sound system and its recording program.
    protocol Recorder: Sendable {
        static var system: String { get }
        static var program: String { get }

        /// The number of channels requested; Steno averages them.
        static var channels: Int { get }

        var devices: [CaptureDevice] { get }

        /// Lists the devices of the system; throws a reason when it is not running or has none.
        init(_ tools: RecorderTools) async throws

        /// The arguments with which the program writes raw 16-bit samples to standard output.
        func arguments(for device: CaptureDevice, sampleRate: Int) -> [String]

        /// The seconds of audio lost according to a line on standard error; nil when the line says something else.
        static func secondsLost(_ line: String) -> Double?
    }

    extension Recorder {
        static func secondsLost(_ line: String) -> Double? { nil }
    }

    extension RecorderTools {
        /// The systems in the order in which they are tried: newer ones also serve programs written for older ones.
        private static let recorders: [any Recorder.Type] = [
            PipeWireRecorder.self, PulseAudioRecorder.self, ALSARecorder.self,
        ]

        /// The first system that responds and has a device.
        func recorder() async throws -> any Recorder {
            var reasons: [String] = []
            for type in Self.recorders {
                do {
                    let recorder = try await type.init(self)
                    if !recorder.devices.isEmpty { return recorder }
                    reasons.append("\(type.system) has no devices.")
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    reasons.append("\(type.system): \(error).")
                }
                try Task.checkCancellation()
            }
            throw StenoError(
                .captureUnavailable,
                """
                No microphone can be read.
                \(reasons.map { "  \($0)" }.joined(separator: "\n"))
                One of them is needed (Debian, Ubuntu: sudo apt install pipewire-bin, pulseaudio-utils or alsa-utils) \
                and the first two need their sound server to run. Audio can also be piped in: --input -
                """)
        }
    }

    /// Finds and runs the programs that list and record sound devices.
    struct RecorderTools: Sendable {
        /// Folders, separated by colons as in `PATH`.
        let searchPath: String
        /// The environment variables of the programs, in addition to our own.
        var variables: [String: String] = [:]
        /// How long a program may take to answer: a sound server that hangs must not hang us.
        var patience = Duration.seconds(10)

        static var installed: RecorderTools {
            RecorderTools(searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        }

        var environment: Environment {
            .inherit.updating(
                Dictionary(uniqueKeysWithValues: variables.map { (Environment.Key(stringLiteral: $0), $1) }))
        }

        /// The path of a program; throws when it is not installed.
        func path(of program: String) throws(RecorderMissing) -> String {
            for folder in searchPath.split(separator: ":") {
                let path = "\(folder)/\(program)"
                if FileManager.default.isExecutableFile(atPath: path) { return path }
            }
            throw RecorderMissing("\(program) is not installed")
        }

        /// The output of a program; throws when it is missing, fails or takes longer than ``patience``.
        func output(of program: String, _ arguments: [String]) async throws -> String {
            let path = try path(of: program)
            return try await withThrowingTaskGroup(of: String.self) { group in
                group.addTask { try await run(path, arguments, name: program) }
                group.addTask {
                    try await Task.sleep(for: patience)
                    throw RecorderMissing("\(program) does not answer")
                }
                defer { group.cancelAll() }
                return try await group.next() ?? ""
            }
        }

        private func run(_ path: String, _ arguments: [String], name: String) async throws -> String {
            let result = try await Subprocess.run(
                .path(FilePath(path)), arguments: Arguments(arguments), environment: environment,
                output: .string(limit: 64 << 20), error: .string(limit: 1 << 20))
            if result.terminationStatus.isSuccess { return result.standardOutput }
            let errors = result.standardError.trimmingCharacters(in: .whitespacesAndNewlines)
            throw RecorderMissing(errors.isEmpty ? "\(name) failed" : "\(name): \(errors)")
        }
    }

    /// The reason why a sound system cannot be used.
    struct RecorderMissing: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
#endif
