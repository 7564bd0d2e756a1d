#if canImport(SwiftUI) && canImport(AVFAudio)
    import AVFAudio
    import Foundation

    /// Speaks a text with the system's voice, on the device.
    @MainActor final class SpeechOutput {
        /// Created on first use, because views are created often and synthesizers are expensive.
        private var synthesizer: AVSpeechSynthesizer?
        private var ending: SpeechEnding?

        /// Speaks a text and interrupts the current one.
        ///
        /// - Parameter onEnd: Called when it has been spoken or was stopped.
        func speak(_ text: String, language: String?, onEnd: @escaping @MainActor @Sendable () -> Void) {
            stop()
            let synthesizer = synthesizer ?? AVSpeechSynthesizer()
            self.synthesizer = synthesizer
            let utterance = AVSpeechUtterance(string: text)
            if let language { utterance.voice = AVSpeechSynthesisVoice(language: language) }
            let ending = SpeechEnding(onEnd)
            self.ending = ending
            synthesizer.delegate = ending
            synthesizer.speak(utterance)
        }

        /// Stops at once.
        func stop() { _ = synthesizer?.stopSpeaking(at: .immediate) }
    }

    /// Reports the end of the spoken text.
    private final class SpeechEnding: NSObject, AVSpeechSynthesizerDelegate {
        private let onEnd: @MainActor @Sendable () -> Void

        init(_ onEnd: @escaping @MainActor @Sendable () -> Void) { self.onEnd = onEnd }

        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance) { end() }

        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance) { end() }

        private func end() {
            let onEnd = onEnd
            Task { await onEnd() }
        }
    }
#endif
