#if canImport(SwiftUI) && canImport(AVFAudio)
    import AVFAudio
    import Foundation
    public import SwiftUI

    /// A text field whose text is shown to another person in the largest letters that fit.
    ///
    /// The system's voice can speak the text, and phrases can be saved for later.
    public struct TypeToDisplayView: View {
        @Binding private var phrases: SavedPhrases
        private let language: String?
        private let theme: CaptionTheme
        private let texts = InterfaceTexts.preferred

        @State private var text = ""
        @State private var isSpeaking = false
        @State private var voice = SpeechOutput()

        /// Creates the view.
        ///
        /// - Parameters:
        ///   - phrases: The saved phrases, stored by the app, for example in SwiftUI's `AppStorage`.
        ///   - language: The language of the voice as a BCP 47 tag; nil for the language of the device.
        ///   - theme: The colours of the large text.
        public init(phrases: Binding<SavedPhrases>, language: String? = nil, theme: CaptionTheme = .system) {
            _phrases = phrases
            self.language = language
            self.theme = theme
        }

        /// The large text, the field and the buttons.
        public var body: some View {
            VStack(spacing: 12) {
                LargestText(text: text, theme: theme)
                TextField(texts[.typeField], text: $text, axis: .vertical)
                    .lineLimit(1...4)
                    .textFieldStyle(.roundedBorder)
                    .font(.title2)
                    .accessibilityLabel(Text(verbatim: texts[.typeField]))
                buttons
            }
            .padding()
            .onDisappear { voice.stop() }
        }

        private var buttons: some View {
            HStack {
                Button {
                    isSpeaking ? voice.stop() : speak()
                } label: {
                    Label {
                        Text(verbatim: texts[isSpeaking ? .typeStopSpeaking : .typeSpeak])
                    } icon: {
                        Image(systemName: isSpeaking ? "stop.fill" : "speaker.wave.2.fill")
                    }
                    .frame(minHeight: 44)
                }
                .buttonStyle(.borderedProminent)
                .keyboardShortcut(.return, modifiers: .command)
                .disabled(text.isEmpty && !isSpeaking)
                Button {
                    text = ""
                } label: {
                    Text(verbatim: texts[.typeClear]).frame(minHeight: 44)
                }
                .disabled(text.isEmpty)
                Button {
                    phrases.add(text)
                } label: {
                    Text(verbatim: texts[.typeSave]).frame(minHeight: 44)
                }
                .disabled(text.isEmpty)
                phraseMenu
            }
        }

        private var phraseMenu: some View {
            Menu {
                ForEach(phrases.phrases, id: \.self) { phrase in
                    Button {
                        text = phrase
                    } label: {
                        Text(verbatim: phrase)
                    }
                }
                Menu {
                    ForEach(phrases.phrases, id: \.self) { phrase in
                        Button(role: .destructive) {
                            phrases.remove(phrase)
                        } label: {
                            Text(verbatim: phrase)
                        }
                    }
                } label: {
                    Text(verbatim: texts[.typeDelete])
                }
            } label: {
                Text(verbatim: texts[.typePhrases]).frame(minHeight: 44)
            }
            .disabled(phrases.phrases.isEmpty)
        }

        private func speak() {
            isSpeaking = true
            voice.speak(text, language: language) { isSpeaking = false }
        }
    }

    /// A text in the largest letters in which it fits without breaking a word.
    private struct LargestText: View {
        let text: String
        let theme: CaptionTheme
        @Environment(\.colorScheme) private var colorScheme

        private static let sizes = 16.0...400.0

        var body: some View {
            let colors = theme.colors(isDark: colorScheme == .dark)
            Canvas { context, size in
                func resolve(_ text: String, _ letters: Double) -> GraphicsContext.ResolvedText {
                    context.resolve(
                        Text(verbatim: text).font(.system(size: letters, weight: .bold))
                            .foregroundColor(Color(colors.text)))
                }
                let fit = LetterFit(width: size.width, height: size.height, sizes: Self.sizes)
                let letters = fit.size(of: text) { text, letters, width in
                    let unlimited = CGFloat.greatestFiniteMagnitude
                    let measured = resolve(text, letters).measure(
                        in: CGSize(width: width.map { CGFloat($0) } ?? unlimited, height: unlimited))
                    return (measured.width, measured.height)
                }
                context.draw(resolve(text, letters), in: CGRect(origin: .zero, size: size))
            }
            .padding()
            .background(Color(colors.background))
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(Text(verbatim: text))
            .accessibilityAddTraits(.isStaticText)
        }
    }

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

        func stop() { _ = synthesizer?.stopSpeaking(at: .immediate) }
    }

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
