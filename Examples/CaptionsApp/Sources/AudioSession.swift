#if canImport(SwiftUI)
    import AVFAudio
    import Combine
    import Foundation

    /// The app's audio session: it may record and play, and it says what interrupts it.
    ///
    /// The capture itself continues by its own: after a call, with another microphone, after a reset of the media
    /// services. A view only has to say why no text comes meanwhile. macOS has no audio sessions.
    @MainActor final class AudioSession: ObservableObject {
        /// What the reader should know, as a sentence; nil while all is well.
        private(set) var notice: String? {
            willSet { objectWillChange.send() }
        }

        #if os(iOS)
            init() {
                let session = AVAudioSession.sharedInstance()
                do {
                    // Steno keeps a category that records; this one can also speak what was typed.
                    try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker])
                } catch {
                    notice = "The audio session could not be set up: \(error.localizedDescription)"
                }
                observe(AVAudioSession.interruptionNotification) { note in
                    let number = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
                    return number.flatMap(AVAudioSession.InterruptionType.init) == .began
                        ? "Interrupted, as by a call. Captions continue when it ends." : nil
                }
                observe(AVAudioSession.routeChangeNotification) { note in
                    let number = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
                    return number.flatMap(AVAudioSession.RouteChangeReason.init) == .noSuitableRouteForCategory
                        ? "There is no microphone. Connect one." : nil
                }
            }

            private func observe(_ name: Notification.Name, _ notice: @escaping @Sendable (Notification) -> String?) {
                // Never removed: the object lives as long as the app.
                _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                    @Sendable [weak self] note in
                    let text = notice(note)
                    Task { @MainActor in self?.notice = text }
                }
            }
        #else
            init() {}
        #endif
    }
#endif
