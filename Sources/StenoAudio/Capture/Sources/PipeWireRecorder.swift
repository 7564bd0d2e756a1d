#if os(Linux)
    import Foundation

    struct PipeWireRecorder: Recorder {
        static let system = "PipeWire"
        static let program = "pw-record"
        /// For one channel, PipeWire sums two and subtracts 3 dB, which clips loud audio.
        static let channels = 2
        let devices: [CaptureDevice]
        /// Whether the program needs `--raw` to omit the header.
        private let takesRaw: Bool

        init(_ tools: RecorderTools) async throws {
            let help = try await tools.output(of: Self.program, ["--help"])
            // Versions before 0.3.60 do not support standard output and would write a file named "-".
            guard help.contains("|-") || help.contains("| -") else {
                throw RecorderMissing("\(Self.program) is too old to write to a pipe")
            }
            takesRaw = help.contains("--raw")
            devices = try Self.devices(Data(try await tools.output(of: "pw-dump", []).utf8))
        }

        func arguments(for device: CaptureDevice, sampleRate: Int) -> [String] {
            ["--rate", "\(sampleRate)", "--channels", "\(Self.channels)", "--format", "s16", "--latency", "20ms"]
                + ["--target", device.id]
                + (device.isMonitor ? ["-P", "{ stream.capture.sink=true }"] : [])
                + (takesRaw ? ["--raw"] : []) + ["-"]
        }

        static func devices(_ dump: Data) throws -> [CaptureDevice] {
            let objects = try JSONDecoder().decode([Object].self, from: dump)
            let preferred = objects.lazy.flatMap { $0.metadata ?? [] }
                .first { $0.key == "default.audio.source" }?.value?.name
            return objects.compactMap { object in
                guard let node = object.info?.props, let kind = node.mediaClass, let id = node.nodeName else {
                    return nil
                }
                let isMonitor = kind.hasPrefix("Audio/Sink")
                guard isMonitor || kind.hasPrefix("Audio/Source") || kind.hasPrefix("Audio/Duplex") else { return nil }
                let name = node.nodeDescription ?? id
                return CaptureDevice(
                    id: id, name: isMonitor ? "Monitor of \(name)" : name, isDefault: id == preferred,
                    isMonitor: isMonitor)
            }
        }

        /// An object of the server; only nodes and the default device are read.
        private struct Object: Decodable {
            let info: Info?
            let metadata: [Entry]?

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                info = try? container.decodeIfPresent(Info.self, forKey: .info)
                metadata = try? container.decodeIfPresent([Entry].self, forKey: .metadata)
            }

            enum CodingKeys: CodingKey { case info, metadata }
        }

        private struct Info: Decodable {
            let props: Properties?
        }

        private struct Properties: Decodable {
            let mediaClass: String?
            let nodeName: String?
            let nodeDescription: String?

            enum CodingKeys: String, CodingKey {
                case mediaClass = "media.class"
                case nodeName = "node.name"
                case nodeDescription = "node.description"
            }
        }

        private struct Entry: Decodable {
            let key: String
            let value: NamedDevice?

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                key = try container.decode(String.self, forKey: .key)
                // Other entries have values of other types.
                value = try? container.decodeIfPresent(NamedDevice.self, forKey: .value)
            }

            enum CodingKeys: CodingKey { case key, value }
        }

        private struct NamedDevice: Decodable {
            let name: String?
        }
    }
#endif
