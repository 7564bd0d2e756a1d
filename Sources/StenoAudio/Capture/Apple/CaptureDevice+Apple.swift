#if canImport(AVFoundation) && (os(macOS) || os(iOS) || os(visionOS))
    import AVFoundation
    import StenoCore

    extension CaptureDevice {
        /// Runs on its own thread, because the audio server may take a while to answer.
        static func installed() async throws -> [CaptureDevice] {
            try await Worker.run("steno.devices", stack: .shallow) { _ in try read() }
        }

        #if os(macOS)
            private static func read() throws -> [CaptureDevice] {
                let devices = HardwareDevices.inputs
                guard !devices.isEmpty else {
                    throw StenoError(.captureUnavailable, "There is no microphone. Connect one.")
                }
                return devices
            }
        #else
            private static func read() throws -> [CaptureDevice] {
                // Microphones are only listed in a session that records.
                try CaptureSession.activate(nil)
                let session = AVAudioSession.sharedInstance()
                let present = session.currentRoute.inputs.first?.uid
                let devices = (session.availableInputs ?? []).map { port in
                    CaptureDevice(id: port.uid, name: port.portName, isDefault: port.uid == present)
                }
                guard !devices.isEmpty else {
                    throw StenoError(.captureUnavailable, "There is no microphone. Connect one.")
                }
                return devices
            }
        #endif
    }
#endif
