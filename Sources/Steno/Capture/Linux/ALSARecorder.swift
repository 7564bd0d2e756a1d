#if os(Linux)
    import Foundation

    /// The kernel's sound devices, without a server between.
    struct ALSARecorder: Recorder {
        static let system = "ALSA"
        static let program = "arecord"
        /// The mean is taken on the other side.
        static let channels = 1
        /// How much audio waits to be taken at most.
        private static let buffer = 1.0
        /// A longer delay is a mistake of the driver: some know no time of the overrun, and years come of it.
        private static let longestDelay = 86_400.0
        let devices: [CaptureDevice]

        init(_ tools: RecorderTools) async throws {
            let cards = try await tools.output(of: Self.program, ["-l"])
            guard cards.contains("card ") else { throw RecorderMissing("there is no sound card that records") }
            devices = Self.devices(try await tools.output(of: Self.program, ["-L"]))
        }

        func arguments(for device: CaptureDevice, sampleRate: Int) -> [String] {
            [
                "-q", "-t", "raw", "-D", device.id, "-f", "S16_LE", "-r", "\(sampleRate)", "-c", "\(Self.channels)",
                // In microseconds: handed over every 20 ms; a second passes before sound is lost on a busy machine.
                "--period-time=20000", "--buffer-time=\(Int(Self.buffer * 1_000_000))",
            ]
        }

        /// Reads `overrun!!! (at least 12.345 ms long)`.
        ///
        /// The time is that since the buffer was full. What was in it is lost too, for the device begins anew.
        static func secondsLost(_ line: String) -> Double? {
            guard let start = line.range(of: "overrun!!! (at least ")?.upperBound,
                let milliseconds = Double(line[start...].prefix { $0 != " " })
            else { return nil }
            let delay = milliseconds / 1000
            return buffer + ((0...longestDelay).contains(delay) ? delay : 0)
        }

        /// Reads what `arecord -L` says: names at the start of a line, descriptions indented below.
        ///
        /// Only names that convert rates and channels are listed; the others work for one format alone.
        static func devices(_ listing: String) -> [CaptureDevice] {
            var names: [(id: String, description: [String])] = []
            for line in listing.split(separator: "\n") {
                let text = line.trimmingCharacters(in: .whitespaces)
                if line.first?.isWhitespace == false {
                    names.append((text, []))
                } else if !names.isEmpty {
                    names[names.count - 1].description.append(text)
                }
            }
            let devices = names.filter { name in
                name.id == "default" || ["default:", "sysdefault", "plughw:"].contains { name.id.hasPrefix($0) }
            }
            let preferred = devices.first { $0.id == "default" } ?? devices.first
            return devices.map { device in
                CaptureDevice(
                    id: device.id,
                    name: device.description.isEmpty ? device.id : device.description.joined(separator: ", "),
                    isDefault: device.id == preferred?.id)
            }
        }
    }
#endif
