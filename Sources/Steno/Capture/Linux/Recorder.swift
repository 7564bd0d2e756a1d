#if os(Linux)
    import Foundation

    /// A system of sound devices, and the program that records from it.
    protocol Recorder: Sendable {
        /// What the system is called.
        static var system: String { get }
        /// The program, as it is called on the command line.
        static var program: String { get }

        /// How many channels it is asked for; the mean of them is taken.
        static var channels: Int { get }

        /// The devices that are there.
        var devices: [CaptureDevice] { get }

        /// Asks the system for its devices; throws a reason when it is not there or has none.
        init(_ tools: RecorderTools) async throws

        /// What makes the program write bare samples of 16 bits to its standard output.
        func arguments(for device: CaptureDevice, sampleRate: Int) -> [String]

        /// The seconds of audio that are lost where the program says this, on standard error; nil: it says something
        /// else.
        static func secondsLost(_ line: String) -> Double?
    }

    extension Recorder {
        static func secondsLost(_ line: String) -> Double? { nil }
    }

    extension RecorderTools {
        /// The systems in the order in which they are tried: the newer ones serve programs of the older ones too.
        private static let recorders: [any Recorder.Type] = [
            PipeWireRecorder.self, PulseAudioRecorder.self, ALSARecorder.self,
        ]

        /// The first system that answers and has a device.
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
                and the first two need their sound server to run. Sound can be piped in, too.
                """)
        }
    }
#endif
