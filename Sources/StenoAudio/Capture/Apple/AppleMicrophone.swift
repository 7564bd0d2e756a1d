#if canImport(AVFoundation) && (os(macOS) || os(iOS) || os(visionOS))
    import AVFoundation
    import Foundation
    import StenoCore

    /// The microphone, captured by AVAudioEngine.
    ///
    /// The capture continues through everything that stops an audio engine: another microphone or route, a phone call,
    /// a reset of the media services. The gap becomes silence, or a jump of the positions, and is
    /// reported in the chunks.
    ///
    /// The app's Info.plist needs `NSMicrophoneUsageDescription`; without it the system terminates the app. On iOS the
    /// audio session is set to `record`, unless the app has chosen a category that records, and is activated.
    package struct MicrophoneSource: AudioSource {
        package let device: String?
        package let bufferLimit: Double?
        package var name: String { device ?? "the microphone" }

        /// - Parameters:
        ///   - device: The identifier or name of a device, or a part of one that matches only one device
        ///     (``CaptureDevice/all()``); nil for the default device.
        ///   - bufferLimit: The audio kept for a slow reader, in seconds; beyond it, new audio is dropped and reported.
        ///     Nil keeps everything.
        package init(device: String? = nil, bufferLimit: Double? = AudioStream.bufferLimit) {
            (self.device, self.bufferLimit) = (device, bufferLimit)
        }

        /// Requests permission if necessary, finds the device, and starts recording.
        ///
        /// - Throws: `StenoError`: `permissionDenied`, or `captureUnavailable` if there is no such device.
        package func start() async throws -> AudioStream {
            try await Self.requestPermission()
            var chosen: CaptureDevice?
            if let device { chosen = try await CaptureDevice.installed().device(named: device) }
            let capture = EngineCapture(device: chosen, bufferLimit: bufferLimit)
            return try await capture.start()
        }

        private static func requestPermission() async throws {
            let status = AVCaptureDevice.authorizationStatus(for: .audio)
            if status == .authorized { return }
            if status == .notDetermined, await AVCaptureDevice.requestAccess(for: .audio) { return }
            throw StenoError(
                .permissionDenied,
                "This app may not use the microphone. Allow it in the system's settings, under Privacy, Microphone.")
        }
    }

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
