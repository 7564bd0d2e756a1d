#if canImport(SwiftUI)
    import Foundation
    import StenoAppleSpeech
    import StenoRecognizer
    import StenoUI
    import SwiftUI

    /// Captions for two people at a table: one speaks, the other reads and types back.
    @main struct CaptionsApp: App {
        @StateObject private var recognizer = SpeechRecognizer(engines: [.speechAnalyzer, .whisper])
        @StateObject private var audio = AudioSession()

        var body: some Scene {
            WindowGroup {
                ContentView(recognizer: recognizer, audio: audio)
            }
        }
    }

    /// The two tabs: captions, and large text to show.
    struct ContentView: View {
        @ObservedObject private var recognizer: SpeechRecognizer
        @ObservedObject private var audio: AudioSession
        @AppStorage("languages") private var languages = KeptLanguages()
        @AppStorage("phrases") private var phrases = SavedPhrases(["I cannot hear. Please speak here."])
        @AppStorage("theme") private var theme = CaptionTheme.system

        init(recognizer: SpeechRecognizer, audio: AudioSession) {
            self.recognizer = recognizer
            self.audio = audio
        }

        var body: some View {
            TabView {
                VStack(spacing: 0) {
                    LanguageMenu(recognizer, languages: $languages.value)
                    if let notice = audio.notice { Text(verbatim: notice).font(.headline).padding() }
                    CaptionsView(recognizer, theme: theme)
                }
                .tabItem { label("Captions", image: "captions.bubble") }
                TypeToDisplayView(phrases: $phrases, language: languages.value.current, theme: theme)
                    .tabItem { label("Type", image: "textformat.size") }
            }
            .onChange(of: recognizer.state) { state in
                // Reading must not require touching the screen.
                ScreenWake.keep(state == .running)
            }
        }

        private func label(_ text: String, image: String) -> some View {
            Label {
                Text(verbatim: text)
            } icon: {
                Image(systemName: image)
            }
        }
    }

    /// The two quick languages, as stored in `AppStorage`.
    struct KeptLanguages: RawRepresentable {
        var value = QuickLanguages()

        init() {}

        init?(rawValue: String) {
            guard let value = try? JSONDecoder().decode(QuickLanguages.self, from: Data(rawValue.utf8)) else {
                return nil
            }
            self.value = value
        }

        var rawValue: String {
            guard let data = try? JSONEncoder().encode(value) else { return "" }
            return String(decoding: data, as: UTF8.self)
        }
    }
#endif
