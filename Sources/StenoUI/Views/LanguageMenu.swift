#if canImport(SwiftUI)
    import Foundation
    public import StenoRecognizer
    public import SwiftUI

    /// A choice of the spoken language: two quick ones as buttons, all others in a menu.
    ///
    /// A choice applies immediately; a running session continues and keeps its text.
    public struct LanguageMenu: View {
        @ObservedObject private var recognizer: SpeechRecognizer
        @Binding private var languages: QuickLanguages
        private let choices: [String]
        private let texts = InterfaceTexts.preferred

        @State private var hasAppeared = false

        /// The default languages of the menu: the most spoken ones that Whisper supports well.
        public static let usual = [
            "ar", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "hu", "id", "it", "ja", "ko", "nb", "nl",
            "pl", "pt", "ro", "ru", "sk", "sv", "th", "tr", "uk", "vi", "zh",
        ]

        /// Creates a menu.
        ///
        /// - Parameters:
        ///   - recognizer: The recognizer to control.
        ///   - languages: The two quick languages and the current one, stored by the app.
        ///   - choices: The languages of the menu, as BCP 47 tags.
        public init(
            _ recognizer: SpeechRecognizer, languages: Binding<QuickLanguages>, choices: [String] = LanguageMenu.usual
        ) {
            self.recognizer = recognizer
            _languages = languages
            self.choices = choices
        }

        /// The buttons and the menu.
        public var body: some View {
            HStack {
                ForEach(languages.pair, id: \.self) { language in
                    Button {
                        choose(language)
                    } label: {
                        name(language)
                    }
                    .buttonStyle(.bordered)
                    .accessibilityAddTraits(languages.current == language ? .isSelected : [])
                }
                Menu {
                    Button {
                        choose(nil)
                    } label: {
                        mark(Text(verbatim: texts[.languageDetected]), nil)
                    }
                    ForEach(choices, id: \.self) { language in
                        Button {
                            choose(language)
                        } label: {
                            mark(Text(verbatim: QuickLanguages.name(of: language)), language)
                        }
                    }
                } label: {
                    menuLabel.frame(minHeight: 44)
                }
            }
            .accessibilityElement(children: .contain)
            .accessibilityLabel(Text(verbatim: texts[.languageLabel]))
            .onAppear {
                // Once: an app may have chosen another language when the view appears again.
                guard !hasAppeared else { return }
                hasAppeared = true
                recognizer.language = languages.current
            }
            .onChange(of: languages.current) { recognizer.language = $0 }
        }

        @ViewBuilder private var menuLabel: some View {
            if languages.current == nil {
                mark(Text(verbatim: texts[.languageDetected]), nil)
            } else {
                Text(verbatim: texts[.languageOthers])
            }
        }

        private func name(_ language: String) -> some View {
            mark(Text(verbatim: QuickLanguages.name(of: language)), language).frame(minHeight: 44)
        }

        /// The current language has a mark, not just a colour.
        @ViewBuilder private func mark(_ text: Text, _ language: String?) -> some View {
            if languages.current == language {
                Label {
                    text
                } icon: {
                    Image(systemName: "checkmark")
                }
            } else {
                text
            }
        }

        private func choose(_ language: String?) {
            languages.choose(language)
            recognizer.language = language
        }
    }
#endif
