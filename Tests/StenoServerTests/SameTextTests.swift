#if Server
    import Foundation
    import Steno
    import StenoBundledModel
    import StenoCore
    import StenoSpeech
    import StenoTestSupport
    import StenoWhisperKit
    import Testing

    @testable import StenoServer

    /// A recording has the same text through every interface.
    ///
    /// Whisper base decodes the recording for each interface at full pace, so the text depends only on the audio: at a
    /// microphone's pace it would depend on the machine's speed. An interface with different text has changed the audio, the
    /// options or the events.
    ///
    /// Whitespace around pieces is up to each interface; words and punctuation are not.
    @Suite(.timeLimit(.minutes(15)), .enabled(if: PageScript.canRun, "node is not installed")) struct SameTextTests {
        @Test func everyInterfaceShowsTheLibrarysText() async throws {
            // Two utterances with a pause between them.
            let (folder, recording, samples) = try await Recordings.firstWords(seconds: 5)
            defer { withExtendedLifetime(folder) {} }
            let library = try await textOfTheLibrary(recording)
            // Capitals and marks depend on how the processor rounds int8.
            #expect(library.finalText.lowercased().contains("my fellow americans"))
            #expect(library.finals.count > 1, "an interface has pieces to join")

            let messages = try await messagesOfTheServer(samples) { try await Transcriber.load(.bundled).model }
            let shown = [
                ("the server's WebSocket", messages.spokenText), ("the captions page", try textOnThePage(messages)),
                ("SpeechAnalyzer", try await textOfSpeechAnalyzer(recording)),
                ("WhisperKit", try await textOfWhisperKit(recording)),
            ]
            for (interface, text) in shown { #expect(words(text) == words(library.finalText), "\(interface)") }
        }

        /// A client and the page build the same text from the events of either kind of model.
        @Test(arguments: Hearing.allCases) func thePageShowsTheTextOfEitherKindOfModel(hearing: Hearing) async throws {
            let model = SecondFamilyModel(hearing: hearing)
            let samples = try TestAudio.speech()
            let (library, _) = try await CountingModel(model).heard(samples, options: LiveOptions(language: "en"))
            #expect(library.finals.count > 1, "there are pieces to join")
            let messages = try await messagesOfTheServer(samples) { model }
            #expect(words(messages.spokenText) == words(library.finalText))
            #expect(words(try textOnThePage(messages)) == words(library.finalText))
        }

        private func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

        // MARK: The library

        private func textOfTheLibrary(_ recording: URL) async throws -> LiveTranscript {
            let transcriber = try await Transcriber.load(.bundled)
            let session = try await transcriber.live(.file(recording), options: LiveOptions(language: "en"))
            let text = await session.events.reduce(into: LiveTranscript()) { $0.apply($1) }
            try await session.wait()
            return text
        }

        // MARK: The server and its page

        /// What a client of the server receives, from the welcome to the end of the connection.
        ///
        /// The server takes samples of 16 bits, which is what the recording has.
        private func messagesOfTheServer(
            _ samples: [Float], model: @escaping @Sendable () async throws -> any SpeechModel
        ) async throws -> [JSONValue] {
            let models = ServedModels(names: ["base"]) { _ in try await model() }
            let host = ModelHost(catalog: models, turns: ComputeTurns(), livePace: .fast)
            let endpoint = RealtimeEndpoint(serverContext(models: host))
            let client = try await SocketClient.talk(socketServer { await endpoint.decide($0) })
            try await client.say(["type": "hello", "language": "en"])
            try await client.speak(samples, piece: 1600)
            return try await client.end()
        }

        /// The text that a reader of the captions page can copy after these messages.
        private func textOnThePage(_ messages: [JSONValue]) throws -> String {
            let script = #"""
                const { Captioner } = await import("./js/captioner.js");
                const { feed, transcript } = new Captioner({ language: "en", names: [] });
                feed.start();
                sockets[0].onopen();
                feed.finish();
                for (const message of messages) {
                  if (message.type === "close") sockets[0].onclose(message);
                  else say(message);
                }
                report(transcript.text());
                """#
            let report = try PageScript.report("const messages = \(JSONValue.array(messages).text);\n" + script)
            return try #require(report.string)
        }

        // MARK: The interfaces of others

        private func textOfSpeechAnalyzer(_ recording: URL) async throws -> String {
            let environment = SpeechEnvironment(installer: ChosenModel(onThisMachine: .bundled))
            return try await SpeechEnvironment.$current.withValue(environment) {
                // Without volatile results the text of an utterance comes at its end, and may be another one.
                let module = SpeechTranscriber(locale: Locale(identifier: "en_US"), preset: .progressiveTranscription)
                let analyzer = SpeechAnalyzer(modules: [module])
                let end = try await analyzer.analyzeSequence(from: try AVAudioFile(forReading: recording))
                try await analyzer.finalizeAndFinish(through: try #require(end))
                return try await module.results.reduce(into: "") { text, result in
                    if result.isFinal { text += String(result.text.characters) }
                }
            }
        }

        private func textOfWhisperKit(_ recording: URL) async throws -> String {
            let whisperKit = try await WhisperKit(modelFolder: try BundledModel.folder.path)
            let transcriber = AudioStreamTranscriber(
                whisperKit, source: .file(recording),
                decodingOptions: StenoWhisperKit.DecodingOptions(language: "en"))
            // Even a late reader gets the last state.
            let states = transcriber.states
            try await transcriber.startStreamTranscription()
            let last = await states.reduce(nil) { $1 }
            return try #require(last).confirmedSegments.map(\.text).joined()
        }
    }
#endif
