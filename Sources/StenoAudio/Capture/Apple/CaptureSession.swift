#if canImport(AVFoundation) && (os(macOS) || os(iOS) || os(visionOS))
    import AVFoundation
    import Foundation
    import StenoCore

    /// The app's audio session; macOS has none.
    enum CaptureSession {
        #if os(macOS)
            static func activate(_ device: CaptureDevice?) throws {}

            static func deactivate() {}
        #else
            private static let recordingCategories: [AVAudioSession.Category] = [.record, .playAndRecord, .multiRoute]

            /// Activates the session, with a category that records unless the app has already chosen one.
            static func activate(_ device: CaptureDevice?) throws {
                let session = AVAudioSession.sharedInstance()
                do {
                    if !recordingCategories.contains(session.category) {
                        try session.setCategory(.record, mode: .default, options: bluetooth)
                    }
                    try session.setActive(true)
                    if let device, let port = session.availableInputs?.first(where: { $0.uid == device.id }) {
                        try session.setPreferredInput(port)
                    }
                } catch {
                    throw StenoError(
                        .captureUnavailable, "The audio session could not be started: \(error.localizedDescription)",
                        underlying: error)
                }
            }

            /// Lets other apps resume playback; a session in which this app may also play audio is left active.
            static func deactivate() {
                let session = AVAudioSession.sharedInstance()
                guard session.category == .record else { return }
                try? session.setActive(false, options: .notifyOthersOnDeactivation)
            }

            /// Bluetooth headsets; the option was renamed but kept its raw value.
            private static let bluetooth = AVAudioSession.CategoryOptions(rawValue: 0x4)
        #endif
    }
#endif
