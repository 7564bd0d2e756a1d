#if os(Linux)
    import Foundation

    /// Records with PulseAudio, or another server with its protocol.
    struct PulseAudioRecorder: Recorder {
        static let system = "PulseAudio"
        static let program = "parec"
        /// The server averages the channels of a device.
        static let channels = 1
        let devices: [CaptureDevice]

        init(_ tools: RecorderTools) async throws {
            _ = try tools.path(of: Self.program)
            let sources = try await tools.output(of: "pactl", ["-f", "json", "list", "sources"])
            let info = try await tools.output(of: "pactl", ["-f", "json", "info"])
            devices = try Self.devices(sources: Data(sources.utf8), info: Data(info.utf8))
        }

        func arguments(for device: CaptureDevice, sampleRate: Int) -> [String] {
            [
                "--raw", "--device=\(device.id)", "--format=s16le", "--rate=\(sampleRate)",
                "--channels=\(Self.channels)", "--latency-msec=20", "--client-name=steno", "--stream-name=steno",
            ]
        }

        static func devices(sources: Data, info: Data) throws -> [CaptureDevice] {
            let preferred = try JSONDecoder().decode(Info.self, from: info).default_source_name
            return try JSONDecoder().decode([Source].self, from: sources).map { source in
                CaptureDevice(
                    id: source.name, name: source.description ?? source.name, isDefault: source.name == preferred,
                    isMonitor: source.properties?["device.class"] == "monitor",
                    sampleRate: source.sample_specification.flatMap(sampleRate))
            }
        }

        /// The rate in a text such as "s16le 2ch 44100Hz".
        private static func sampleRate(_ specification: String) -> Int? {
            let rate = specification.split(separator: " ").last.flatMap { Int($0.dropLast(2)) }
            return rate.flatMap { PCMFormat.sampleRates.contains($0) ? $0 : nil }
        }

        private struct Source: Decodable {
            let name: String
            let description: String?
            let sample_specification: String?
            let properties: [String: String]?
        }

        private struct Info: Decodable {
            let default_source_name: String?
        }
    }
#endif
