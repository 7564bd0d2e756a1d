#if os(Linux)
    import Foundation
    import StenoCore

    /// A sound system and its recording program.
    protocol Recorder: Sendable {
        /// The name of the system.
        static var system: String { get }
        /// The name of the program.
        static var program: String { get }

        /// The number of channels requested; Steno averages them.
        static var channels: Int { get }

        /// The available devices.
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
#endif
