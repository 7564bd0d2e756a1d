#if canImport(AVFoundation) && (os(macOS) || os(iOS) || os(visionOS))
    import AVFoundation
    import Foundation

    #if os(macOS)
        import CoreAudio
    #endif

    /// Observes the events that stop an audio engine, for as long as it is retained.
    ///
    /// The engine posts from within its own calls, on any thread, so every event is dispatched to the queue
    /// asynchronously.
    final class EngineObserver {
        enum Event: Sendable {
            case configurationChanged(ObjectIdentifier)
            case defaultDeviceChanged
            case interrupted
            case interruptionEnded
            case mediaServicesReset
        }

        private var tokens: [any NSObjectProtocol] = []
        #if os(macOS)
            private let queue: DispatchQueue
            private let listener: AudioObjectPropertyListenerBlock
        #endif

        init(queue: DispatchQueue, _ handle: @escaping @Sendable (Event) -> Void) {
            #if os(macOS)
                self.queue = queue
                // The system calls it on the queue.
                listener = { @Sendable _, _ in handle(.defaultDeviceChanged) }
                var address = HardwareDevices.defaultInputAddress
                _ = AudioObjectAddPropertyListenerBlock(HardwareDevices.system, &address, queue, listener)
            #endif
            observe(.AVAudioEngineConfigurationChange) { note in
                guard let engine = note.object as? AVAudioEngine else { return }
                let event = Event.configurationChanged(ObjectIdentifier(engine))
                queue.async { handle(event) }
            }
            #if !os(macOS)
                observe(AVAudioSession.interruptionNotification) { note in
                    guard let number = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
                        let type = AVAudioSession.InterruptionType(rawValue: number)
                    else { return }
                    let event = type == .began ? Event.interrupted : .interruptionEnded
                    queue.async { handle(event) }
                }
                observe(AVAudioSession.mediaServicesWereResetNotification) { _ in
                    queue.async { handle(.mediaServicesReset) }
                }
            #endif
        }

        deinit {
            for token in tokens { NotificationCenter.default.removeObserver(token) }
            #if os(macOS)
                var address = HardwareDevices.defaultInputAddress
                _ = AudioObjectRemovePropertyListenerBlock(HardwareDevices.system, &address, queue, listener)
            #endif
        }

        private func observe(_ name: Notification.Name, _ handle: @escaping @Sendable (Notification) -> Void) {
            tokens.append(NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: handle))
        }
    }
#endif
