#if os(Linux)
    import Foundation

    /// The kernel's sound devices, without a sound server.
    struct ALSARecorder: Recorder {
        static let system = "ALSA"
        static let program = "arecord"
        /// ALSA averages the channels of a device.
        static let channels = 1
        /// The length of the device buffer, in seconds.
        private static let buffer = 1.0
        /// A longer delay is a driver bug: some do not record the time of the overrun, which then appears to be years
        /// ago.
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
                // In microseconds: audio comes every 20 ms, and a busy machine loses some only after a second.
                "--period-time=20000", "--buffer-time=\(Int(Self.buffer * 1_000_000))",
            ]
        }

        /// Reads `overrun!!! (at least 12.345 ms long)`.
        ///
        /// The line gives the time since the buffer was full. The content of the buffer is lost too, since the device
        /// restarts.
        static func secondsLost(_ line: String) -> Double? {
            guard let start = line.range(of: "overrun!!! (at least ")?.upperBound,
                let milliseconds = Double(line[start...].prefix { $0 != " " })
            else { return nil }
            let delay = milliseconds / 1000
            return buffer + ((0...longestDelay).contains(delay) ? delay : 0)
        }

        /// Parses the output of `arecord -L`: names at the start of a line, descriptions indented below.
        ///
        /// Only names that convert rates and channels are listed; the others support a single format.
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
