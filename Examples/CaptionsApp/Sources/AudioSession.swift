#if canImport(SwiftUI)
    import AVFAudio
    import Combine
    import Foundation

    /// The app's audio session: it may record and play, and it reports interruptions.
    ///
    /// Capture continues by itself: after a call, with another microphone, after a reset of the media services. A view
    /// only has to explain why no text arrives meanwhile. macOS has no audio sessions.
    @MainActor final class AudioSession: ObservableObject {
        /// What the reader should know, as a sentence; nil while all is well.
        var notice: String? { interruption ?? route }

        /// The interruption and the route's problem are separate: the end of one must not hide the other.
        @Published private var interruption: String?
        @Published private var route: String?

        #if os(iOS)
            init() {
                let session = AVAudioSession.sharedInstance()
                do {
                    // Steno keeps an existing category that records; this one can also speak typed text.
                    try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker])
                } catch {
                    route = "The audio session could not be set up: \(error.localizedDescription)"
                }
                observe(AVAudioSession.interruptionNotification) { note in
                    let text = Self.interruption(note)
                    return { $0.interruption = text }
                }
                observe(AVAudioSession.routeChangeNotification) { note in
                    let text = Self.route(note)
                    return { $0.route = text }
                }
            }

            private nonisolated static func interruption(_ note: Notification) -> String? {
                let type = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
                if type.flatMap(AVAudioSession.InterruptionType.init) == .began {
                    return "Interrupted, for example by a call. Captions continue when it ends."
                }
                let number = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
                let mayResume = AVAudioSession.InterruptionOptions(rawValue: number).contains(.shouldResume)
                // Without this option another app may still be using the microphone.
                return mayResume ? nil : "The interruption has ended. If no text comes, stop captions and start them."
            }

            private nonisolated static func route(_ note: Notification) -> String? {
                let number = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
                switch number.flatMap(AVAudioSession.RouteChangeReason.init) {
                case .noSuitableRouteForCategory: return "There is no microphone. Connect one."
                case .oldDeviceUnavailable: return "The microphone was removed. Captions continue with another one."
                default: return nil
                }
            }

            private func observe(
                _ name: Notification.Name,
                _ change: @escaping @Sendable (Notification) -> @MainActor @Sendable (AudioSession) -> Void
            ) {
                // Never removed: the object lives as long as the app.
                _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                    @Sendable [weak self] note in
                    let apply = change(note)
                    Task { @MainActor in if let self { apply(self) } }
                }
            }
        #else
            init() {}
        #endif
    }
#endif
