#if canImport(AVFoundation) && (os(macOS) || os(iOS) || os(visionOS))
    import AVFoundation
    import StenoCore
#endif

#if os(macOS)
    import AudioToolbox
    import CoreAudio
    import Foundation
#endif

#if os(macOS)
    /// The audio input devices of a Mac, as Core Audio lists them.
    enum HardwareDevices {
        static let system = AudioObjectID(kAudioObjectSystemObject)
        static var defaultInputAddress: AudioObjectPropertyAddress {
            propertyAddress(kAudioHardwarePropertyDefaultInputDevice)
        }

        static var inputs: [CaptureDevice] {
            let preferred = value(kAudioHardwarePropertyDefaultInputDevice, of: system, AudioDeviceID(0))
            return identifiers.filter(hasInput).compactMap { device in
                guard let id = text(kAudioDevicePropertyDeviceUID, of: device) else { return nil }
                let rate = value(kAudioDevicePropertyNominalSampleRate, of: device, Float64(0))
                return CaptureDevice(
                    id: id, name: text(kAudioObjectPropertyName, of: device) ?? id, isDefault: device == preferred,
                    sampleRate: rate.flatMap { Int(exactly: $0.rounded()) })
            }
        }

        /// Sets the device of an engine's input; must be called before its format is read.
        static func select(_ device: CaptureDevice, for input: AVAudioInputNode) throws {
            let missing = StenoError(
                .captureUnavailable, "“\(device.name)” could not be chosen. Is it still connected?")
            guard let unit = input.audioUnit,
                var identifier = identifiers.first(where: { text(kAudioDevicePropertyDeviceUID, of: $0) == device.id })
            else { throw missing }
            let status = AudioUnitSetProperty(
                unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &identifier,
                UInt32(MemoryLayout<AudioDeviceID>.size))
            guard status == noErr else { throw missing }
        }

        private static var identifiers: [AudioDeviceID] {
            var address = propertyAddress(kAudioHardwarePropertyDevices)
            var size: UInt32 = 0
            guard AudioObjectGetPropertyDataSize(system, &address, 0, nil, &size) == noErr else { return [] }
            var devices = [AudioDeviceID](repeating: 0, count: Int(size) / MemoryLayout<AudioDeviceID>.size)
            guard AudioObjectGetPropertyData(system, &address, 0, nil, &size, &devices) == noErr else { return [] }
            return Array(devices.prefix(Int(size) / MemoryLayout<AudioDeviceID>.size))
        }

        private static func hasInput(_ device: AudioDeviceID) -> Bool {
            var address = propertyAddress(kAudioDevicePropertyStreams, scope: kAudioObjectPropertyScopeInput)
            var size: UInt32 = 0
            return AudioObjectGetPropertyDataSize(device, &address, 0, nil, &size) == noErr && size > 0
        }

        private static func text(_ selector: AudioObjectPropertySelector, of object: AudioObjectID) -> String? {
            let text = value(selector, of: object, Unmanaged<CFString>?.none)
            // The caller owns the value of such a property.
            return text.flatMap { $0 }.map { $0.takeRetainedValue() as String }
        }

        private static func value<Value>(
            _ selector: AudioObjectPropertySelector, of object: AudioObjectID, _ initial: Value
        ) -> Value? {
            var address = propertyAddress(selector)
            var value = initial
            var size = UInt32(MemoryLayout<Value>.size)
            let status = withUnsafeMutablePointer(to: &value) {
                AudioObjectGetPropertyData(object, &address, 0, nil, &size, $0)
            }
            return status == noErr ? value : nil
        }

        private static func propertyAddress(
            _ selector: AudioObjectPropertySelector, scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
        ) -> AudioObjectPropertyAddress {
            AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
        }
    }
#endif

#if canImport(AVFoundation) && (os(macOS) || os(iOS) || os(visionOS))
    extension CaptureDevice {
        /// Runs on its own thread, because the audio server may take a while to answer.
        static func installed() async throws -> [CaptureDevice] {
            try await Worker.run("steno.devices", stack: .shallow) { _ in try read() }
        }

        #if os(macOS)
            private static func read() throws -> [CaptureDevice] {
                let devices = HardwareDevices.inputs
                try ensure(!devices.isEmpty, or: .captureUnavailable, "There is no microphone. Connect one.")
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
                try ensure(!devices.isEmpty, or: .captureUnavailable, "There is no microphone. Connect one.")
                return devices
            }
        #endif
    }
#endif
