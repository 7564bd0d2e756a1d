import StenoCore

/// A microphone, or another device whose audio can be captured.
public struct CaptureDevice: Sendable, Hashable, Identifiable {
    /// The system's identifier; it stays the same while the device is connected.
    public let id: String
    /// The name shown to the user.
    public let name: String
    /// Whether it is the default device.
    public let isDefault: Bool
    /// Whether it captures the computer's output rather than a microphone.
    package let isMonitor: Bool
    /// The device's own sample rate; nil when it is unknown until the device is used.
    package let sampleRate: Int?

    package init(id: String, name: String, isDefault: Bool = false, isMonitor: Bool = false, sampleRate: Int? = nil) {
        (self.id, self.name, self.isDefault) = (id, name, isDefault)
        (self.isMonitor, self.sampleRate) = (isMonitor, sampleRate)
    }
}

extension CaptureDevice {
    /// The available microphones and other devices, with the default one first.
    ///
    ///     for device in try await CaptureDevice.all() { print(device.id, device.name) }
    ///
    /// - Throws: `StenoError.captureUnavailable` if there are none or they cannot be listed; the message says what to
    ///   do.
    public static func all() async throws -> [CaptureDevice] {
        try await installed().sorted { $0.isDefault && !$1.isDefault }
    }
}

extension [CaptureDevice] {
    /// The device with this identifier or name, or the only one whose identifier or name contains it.
    ///
    /// - Parameter name: nil for the default device.
    /// - Throws: `StenoError.captureUnavailable`, listing the devices.
    func device(named name: String?) throws -> CaptureDevice {
        guard let name else { return try defaultDevice() }
        let lowered = name.lowercased()
        let same = filter { $0.id == name } + filter { $0.name.lowercased() == lowered }
        if let device = same.first { return device }
        let similar = filter { $0.id.lowercased().contains(lowered) || $0.name.lowercased().contains(lowered) }
        if similar.count == 1 { return similar[0] }
        let what =
            similar.isEmpty ? "There is no capture device “\(name)”" : "“\(name)” matches several capture devices"
        throw StenoError(
            .captureUnavailable, "\(what). The devices are:\n\((similar.isEmpty ? self : similar).listing)")
    }

    private func defaultDevice() throws -> CaptureDevice {
        if let device = first(where: \.isDefault) ?? first(where: { !$0.isMonitor }) { return device }
        throw StenoError(
            .captureUnavailable,
            "There is no microphone. Connect one, or name one of the other capture devices:\n\(listing)")
    }

    private var listing: String { map { "  \($0.id)  (\($0.name))" }.joined(separator: "\n") }
}

#if !(os(Linux) || os(macOS) || os(iOS) || os(visionOS))
    extension CaptureDevice {
        static func installed() async throws -> [CaptureDevice] {
            throw StenoError(
                .captureUnavailable, "Microphones cannot be read on this platform; pipe the audio to standard input.")
        }
    }
#endif
