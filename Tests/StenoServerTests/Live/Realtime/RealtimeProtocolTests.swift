#if Server
    import Foundation
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// The protocol without sockets, engines and clocks: events in, actions out.
    @Suite struct RealtimeProtocolTests {
        private var driver = Driver()

        /// A session whose events are easy to read.
        struct Driver {
            var proto: RealtimeProtocol
            var actions: [RealtimeAction] = []

            init(
                _ configuration: RealtimeConfiguration = RealtimeConfiguration(),
                _ dialect: RealtimeProtocol.Dialect = .current
            ) {
                proto = RealtimeProtocol(id: "x", configuration: configuration, dialect: dialect)
            }

            static let manual: RealtimeConfiguration = {
                var configuration = RealtimeConfiguration()
                configuration.turnDetection = nil
                return configuration
            }()

            /// The events of a step.
            @discardableResult mutating func take(_ new: [RealtimeAction]) -> [JSONValue] {
                actions += new
                return new.compactMap { if case .send(let event) = $0 { event } else { nil } }
            }

            @discardableResult mutating func send(_ event: JSONValue) -> [JSONValue] { take(proto.receive(event.text)) }

            @discardableResult mutating func speak(_ seconds: Double, rate: Int = 24_000, bytes: Int = 2) -> [JSONValue]
            {
                let audio = Data(count: Int(seconds * Double(rate)) * bytes)
                return send(["type": "input_audio_buffer.append", "audio": .string(audio.base64EncodedString())])
            }

            @discardableResult mutating func hear(_ words: (String, Double)...) -> [JSONValue] {
                let list = words.map { Word(rawText: $0.0, start: $0.1, end: $0.1 + 0.2, probability: 0.5) }
                return take(
                    proto.heard(
                        LiveSegment(
                            id: 0, start: list[0].start, end: list[list.count - 1].end,
                            text: list.map(\.rawText).joined(),
                            isFinal: true, words: list)))
            }
        }

        private func types(_ events: [JSONValue]) -> [String] { events.compactMap { $0["type"]?.string } }
        private let prefix = "conversation.item.input_audio_transcription."

        // MARK: Sessions

        @Test mutating func theFirstEventDescribesTheSession() throws {
            let event = try #require(driver.take(driver.proto.begin()).first)
            #expect(event["type"] == "session.created")
            let session = try #require(event["session"])
            #expect(session["type"] == "transcription")
            #expect(session["object"] == "realtime.transcription_session")
            #expect(session["audio"]?["input"]?["format"] == ["type": "audio/pcm", "rate": 24000])
            #expect(
                session["audio"]?["input"]?["turn_detection"]
                    == ["type": "server_vad", "threshold": 0.5, "prefix_padding_ms": 300, "silence_duration_ms": 500])
            #expect(event["event_id"]?.string?.hasPrefix("event_") == true)
        }

        @Test mutating func anUpdateChangesOnlyTheFieldsItNames() throws {
            let update: JSONValue = [
                "type": "session.update", "event_id": "mine",
                "session": [
                    "type": "transcription", "unknown": ["a": 1],
                    "audio": [
                        "input": [
                            "format": ["type": "audio/pcmu"],
                            "transcription": [
                                "model": "whisper-1", "language": "de", "prompt": "p", "keywords": ["Steno", "Kurz"],
                            ], "turn_detection": ["type": "server_vad", "silence_duration_ms": 900],
                            "noise_reduction": ["type": "near_field"],
                        ]
                    ], "include": ["item.input_audio_transcription.logprobs", "something.else"],
                ],
            ]
            #expect(driver.send(update).isEmpty, "not before it is applied")
            guard case .configure(let old, let new)? = driver.actions.last else { return #expect(Bool(false)) }
            #expect(old == RealtimeConfiguration())
            #expect(new.format == .g711(.muLaw) && new.model == "whisper-1" && new.language == "de")
            #expect(new.options.vocabulary == ["Steno", "Kurz"] && new.options.prompt == "p")
            #expect(new.options.endpoint == 0.9 && new.options.preRoll == 0.3 && new.includesLogprobs)
            let event = try #require(driver.take(driver.proto.configured()).first)
            #expect(event["type"] == "session.updated")
            #expect(event["session"]?["audio"]?["input"]?["noise_reduction"] == ["type": "near_field"])
            driver.send(["type": "session.update", "session": ["audio": ["input": ["turn_detection": nil]]]])
            #expect(driver.proto.configuration.turnDetection == nil && driver.proto.configuration.language == "de")
        }

        @Test func theBetaNamesAreAcceptedAndUsed() throws {
            var driver = Driver(RealtimeConfiguration(), .beta)
            #expect(types(driver.take(driver.proto.begin())) == ["transcription_session.created"])
            driver.send([
                "type": "transcription_session.update",
                "session": [
                    "input_audio_format": "g711_alaw", "input_audio_transcription": ["model": "m", "language": "fr"],
                    "turn_detection": nil, "input_audio_noise_reduction": ["type": "far_field"],
                ],
            ])
            let event = try #require(driver.take(driver.proto.configured()).first)
            #expect(event["type"] == "transcription_session.updated")
            #expect(event["session"]?["input_audio_format"] == "g711_alaw")
            #expect(event["session"]?["turn_detection"] == JSONValue.null)
            driver.speak(1, rate: 8000, bytes: 1)
            #expect(
                types(driver.send(["type": "input_audio_buffer.commit"]))
                    == ["input_audio_buffer.committed", "conversation.item.created"])
        }

        @Test mutating func anImpossibleChangeIsReverted() throws {
            driver.send([
                "type": "session.update", "event_id": "e1",
                "session": ["audio": ["input": ["transcription": ["language": "xx"]]]],
            ])
            let error = ServerError.invalid("No.", parameter: "language", code: "unknown_language")
            let event = try #require(driver.take(driver.proto.refused(error)).first)
            #expect(event["error"]?["event_id"] == "e1" && event["error"]?["code"] == "unknown_language")
            #expect(driver.proto.configuration.language == nil)
            #expect(driver.take(driver.proto.configured()).isEmpty)
        }

        @Test(
            arguments: [
                (["format": ["type": "audio/mp3"]], "format"),
                (["format": ["type": "audio/pcm", "rate": 12345]], "format.rate"),
                (["turn_detection": ["type": "magic"]], "turn_detection.type"),
                (["turn_detection": ["threshold": 2]], "turn_detection.threshold"),
                (["turn_detection": ["silence_duration_ms": 1]], "turn_detection.silence_duration_ms"),
                (["turn_detection": ["prefix_padding_ms": "1"]], "turn_detection.prefix_padding_ms"),
                (["turn_detection": ["type": "semantic_vad", "eagerness": "wild"]], "turn_detection.eagerness"),
                (["transcription": ["language": 3]], "transcription.language"),
                (["transcription": ["keywords": "a"]], "transcription.keywords"),
                (["noise_reduction": "near_field"], "noise_reduction"),
                (["noise_reduction": ["type": "loud"]], "noise_reduction.type"),
                (["noise_reduction": ["more": "near_field"]], "noise_reduction.type"),
            ] as [(JSONValue, String)])
        func aWrongValueIsRefusedWithItsField(_ input: JSONValue, _ field: String) throws {
            var driver = Driver()
            let event = try #require(
                driver.send(["type": "session.update", "session": ["audio": ["input": input]]]).first)
            #expect(event["error"]?["param"] == .string("session.audio.input." + field))
            #expect(event["error"]?["code"] == "invalid_value")
            #expect(driver.proto.configuration == RealtimeConfiguration())
        }

        @Test func semanticTurnsEndAccordingToTheirEagerness() throws {
            for (eagerness, silence) in [("low", 1.0), ("medium", 0.6), ("auto", 0.6), ("high", 0.35)] {
                var configuration = RealtimeConfiguration()
                try configuration.update(["turn_detection": ["type": "semantic_vad", "eagerness": .string(eagerness)]])
                #expect(configuration.options.endpoint == silence)
                #expect(configuration.turnDetection?.json == ["type": "semantic_vad", "eagerness": .string(eagerness)])
            }
            var configuration = RealtimeConfiguration()
            try configuration.update(["turn_detection": ["type": "semantic_vad"]])
            #expect(configuration.options.endpoint == 0.6, "as for auto")
        }

        // MARK: Audio

        @Test func audioOfEveryFormatIsDecodedAndTimed() throws {
            for (format, bytes, rate) in [
                (["type": "audio/pcm"], 48_000, 24_000), (["type": "audio/pcm", "rate": 16000], 32_000, 16_000),
                (["type": "audio/pcm", "rate": 48000], 96_000, 48_000), (["type": "audio/pcma"], 8_000, 8_000),
            ] as [(JSONValue, Int, Int)] {
                var driver = Driver()
                driver.send(["type": "session.update", "session": ["audio": ["input": ["format": format]]]])
                driver.send([
                    "type": "input_audio_buffer.append", "audio": .string(Data(count: bytes).base64EncodedString()),
                ])
                guard case .audio(let samples, rate)? = driver.actions.last else { return #expect(Bool(false)) }
                #expect(samples.count == rate && driver.proto.received == 1)
            }
        }

        @Test mutating func aSampleSplitBetweenTwoEventsIsJoined() {
            driver.send(["type": "input_audio_buffer.append", "audio": .string(Data([1, 0, 2]).base64EncodedString())])
            driver.send(["type": "input_audio_buffer.append", "audio": .string(Data([0, 3, 0]).base64EncodedString())])
            #expect(driver.actions == [.audio([1], sampleRate: 24_000), .audio([2, 3], sampleRate: 24_000)])
        }

        @Test mutating func invalidAudioIsAnError() {
            for audio: JSONValue in ["%%%", 7, nil] {
                #expect(types(driver.send(["type": "input_audio_buffer.append", "audio": audio])) == ["error"])
            }
            #expect(types(driver.send(["type": "input_audio_buffer.append"])) == ["error"])
            let large = Data(count: RealtimeProtocol.largestAppend + 2).base64EncodedString()
            #expect(types(driver.send(["type": "input_audio_buffer.append", "audio": .string(large)])) == ["error"])
            #expect(driver.proto.received == 0)
        }

        @Test func theLargestAppendFitsIntoAMessage() {
            let base64 = (RealtimeProtocol.largestAppend + 2) / 3 * 4
            #expect(WebSocketLimits().messageBytes >= base64 + 10_000)
        }

        // MARK: Turns detected by the server

        @Test mutating func aTurnRunsFromSpeechToText() throws {
            driver.speak(3)
            let started = driver.take(driver.proto.speechBegan(at: 0.5))
            #expect(types(started) == ["input_audio_buffer.speech_started"])
            #expect(started[0]["audio_start_ms"] == 200)
            let item = try #require(started[0]["item_id"])
            let delta = driver.hear((" Hello", 0.6), (" world", 0.9))
            #expect(types(delta) == [prefix + "delta"])
            #expect(delta[0]["delta"] == "Hello world" && delta[0]["item_id"] == item && delta[0]["content_index"] == 0)
            let ended = driver.take(driver.proto.speechEnded(at: 1.5, noticed: 2))
            #expect(
                types(ended) == [
                    "input_audio_buffer.speech_stopped", "input_audio_buffer.committed", "conversation.item.added",
                    "conversation.item.done",
                ])
            #expect(ended[0]["audio_end_ms"] == 2000 && ended[1]["previous_item_id"] == JSONValue.null)
            #expect(ended[2]["item"]?["id"] == item && ended[2]["item"]?["role"] == "user")
            #expect(driver.actions.last == .finalize(item: item.string ?? "", through: 1.75))
            #expect(driver.hear((".", 1.3))[0]["delta"] == ".")
            let completed = driver.take(driver.proto.finalized(item.string ?? ""))
            #expect(types(completed) == [prefix + "completed"])
            #expect(completed[0]["transcript"] == "Hello world.")
            #expect(completed[0]["usage"] == ["type": "duration", "seconds": 1.55])
            #expect(completed[0]["words"]?.array?.first == ["word": "Hello", "start": 0.6, "end": 0.8])
            #expect(completed[0]["logprobs"] == nil && driver.proto.openItems == 0)
        }

        @Test mutating func theNextTurnNamesTheOneBeforeAndGetsItsOwnWords() throws {
            driver.speak(10)
            let first = driver.take(driver.proto.speechBegan(at: 1))[0]["item_id"]
            driver.take(driver.proto.speechEnded(at: 2, noticed: 2.5))
            let second = driver.take(driver.proto.speechBegan(at: 3))[0]["item_id"]
            #expect(driver.hear((" late", 1.9))[0]["item_id"] == first, "the first turn's text may still arrive")
            #expect(driver.hear((" new", 3.1))[0]["item_id"] == second)
            let committed = driver.take(driver.proto.speechEnded(at: 4, noticed: 4.5))
            #expect(committed[1]["previous_item_id"] == first)
            let completed = driver.take(driver.proto.finalized(second?.string ?? ""))
            #expect(completed.map { $0["transcript"] } == ["late", "new"], "in order, even after a single report")
        }

        @Test mutating func aTurnNeverStartsWithinThePreviousOne() {
            driver.speak(10)
            driver.take(driver.proto.speechBegan(at: 1))
            driver.take(driver.proto.speechEnded(at: 2, noticed: 2.1))
            #expect(driver.take(driver.proto.speechBegan(at: 2.2))[0]["audio_start_ms"] == 2050)
        }

        @Test mutating func logprobsAndSegmentsComeOnRequest() throws {
            driver.send([
                "type": "session.update",
                "session": [
                    "include": ["item.input_audio_transcription.logprobs", "item.input_audio_transcription.segments"]
                ],
            ])
            driver.take(driver.proto.speechBegan(at: 1))
            let events = driver.hear((" Hé", 1))
            #expect(types(events) == [prefix + "delta", prefix + "segment"])
            let logprob = try #require(events[0]["logprobs"]?.array?.first)
            #expect(logprob["token"] == " Hé" && logprob["bytes"] == [32, 72, 195, 169])
            #expect(abs((logprob["logprob"]?.number ?? 0) - log(0.5)) < 1e-9)
            #expect(events[1]["start"] == 1 && events[1]["text"] == "Hé")
        }

        /// An item's deltas add up to its transcript.
        @Test mutating func punctuationFollowsItsWord() throws {
            driver.speak(10)
            let first = driver.take(driver.proto.speechBegan(at: 1))[0]["item_id"]
            driver.take(driver.proto.speechEnded(at: 2, noticed: 2.5))
            driver.take(driver.proto.speechBegan(at: 3))
            driver.hear((" late", 1.9))
            let deltas = driver.take(driver.proto.heard(mark: "."))
            let delta = try #require(deltas.first)
            #expect(delta["type"] == .string(prefix + "delta") && delta["delta"] == "." && delta["item_id"] == first)
            let finalized = driver.take(driver.proto.finalized(first?.string ?? ""))
            let completed = try #require(finalized.first)
            #expect(completed["transcript"] == "late.")
            #expect(completed["words"]?.array?.last?["word"] == "late.")
            #expect(driver.take(driver.proto.heard(mark: "?")).isEmpty, "completed items do not change")
        }

        @Test func punctuationWaitsWithAWordThatHasNoTurnYet() throws {
            var driver = Driver(Driver.manual)
            driver.speak(2)
            driver.hear((" one", 0.5))
            #expect(driver.take(driver.proto.heard(mark: ".")).isEmpty)
            let events = driver.send(["type": "input_audio_buffer.commit"])
            #expect(events.compactMap { $0["delta"]?.string } == ["one."])
            driver.take(driver.proto.finished())
            #expect(driver.take(driver.proto.heard(mark: "?")).isEmpty)
        }

        @Test func segmentIDsAreUnique() throws {
            var configuration = RealtimeConfiguration()
            try configuration.update(["include": ["item.input_audio_transcription.segments"]])
            var driver = Driver(configuration)
            driver.speak(10)
            driver.take(driver.proto.speechBegan(at: 1))
            driver.take(driver.proto.speechEnded(at: 2, noticed: 2.5))
            driver.take(driver.proto.speechBegan(at: 3))
            let segments = driver.hear((" first", 1.5), (" second", 3.5)).filter {
                $0["type"] == .string(prefix + "segment")
            }
            #expect(segments.map { $0["text"] } == ["first", "second"])
            #expect(segments[0]["id"] != segments[1]["id"])
        }

        // MARK: Turns ended by the client

        @Test func aCommitMakesAnItemOfTheTextSoFar() throws {
            var driver = Driver(Driver.manual)
            driver.speak(2)
            #expect(driver.take(driver.proto.speechBegan(at: 0.2)).isEmpty)
            #expect(driver.hear((" one", 0.3)).isEmpty, "there is no item yet")
            let events = driver.send(["type": "input_audio_buffer.commit"])
            #expect(
                types(events) == [
                    "input_audio_buffer.committed", "conversation.item.added", "conversation.item.done",
                    prefix + "delta",
                ])
            #expect(events[3]["delta"] == "one")
            let item = try #require(events[0]["item_id"]?.string)
            #expect(driver.actions.last == .finalize(item: item, through: 2))
            driver.speak(2)
            #expect(driver.hear((" two", 1.8), (" three", 2.1)).count == 1, "the last word belongs to what follows")
            #expect(driver.take(driver.proto.finalized(item))[0]["transcript"] == "one two")
            let next = driver.send(["type": "input_audio_buffer.commit"])
            #expect(next[0]["previous_item_id"] == .string(item) && next[3]["delta"] == "three")
            #expect(driver.take(driver.proto.finalized(next[0]["item_id"]?.string ?? ""))[0]["usage"]?["seconds"] == 2)
        }

        @Test func aCommitOfLessThanATenthOfASecondIsAnError() {
            var driver = Driver(Driver.manual)
            driver.speak(0.09)
            let event = driver.send(["type": "input_audio_buffer.commit", "event_id": "c"])
            #expect(event[0]["error"]?["code"] == "input_audio_buffer_commit_empty")
            #expect(event[0]["error"]?["event_id"] == "c")
            driver.speak(0.01)
            #expect(types(driver.send(["type": "input_audio_buffer.commit"])).first == "input_audio_buffer.committed")
            #expect(types(driver.send(["type": "input_audio_buffer.commit"])) == ["error"])
        }

        @Test mutating func aCommitInTheMiddleOfATurnEndsItAndBeginsTheNext() {
            driver.speak(2)
            driver.take(driver.proto.speechBegan(at: 1))
            let events = driver.send(["type": "input_audio_buffer.commit"])
            #expect(types(events).last == "input_audio_buffer.speech_started" && events.last?["audio_start_ms"] == 2000)
            #expect(
                types(driver.take(driver.proto.speechEnded(at: 3, noticed: 3.5))).contains(
                    "input_audio_buffer.committed"))
            #expect(driver.proto.openItems == 2)
        }

        @Test func clearingDropsUncommittedAudio() {
            var driver = Driver(Driver.manual)
            driver.speak(2)
            driver.hear((" gone", 0.3))
            #expect(types(driver.send(["type": "input_audio_buffer.clear"])) == ["input_audio_buffer.cleared"])
            #expect(driver.actions.contains(.forget(before: 2)))
            driver.hear((" gone too", 1.5))
            driver.speak(1)
            driver.hear((" kept", 2.2))
            let events = driver.send(["type": "input_audio_buffer.commit"])
            #expect(events.last?["delta"] == "kept")
        }

        @Test func wordsThatEndAfterTheClearAreKept() {
            var driver = Driver(Driver.manual)
            driver.speak(2)
            driver.send(["type": "input_audio_buffer.clear"])
            driver.speak(1)
            driver.hear((" gone", 1.5), (" across", 1.9), (" kept", 2.2))
            let events = driver.send(["type": "input_audio_buffer.commit"])
            #expect(events.last?["delta"] == "across kept")
        }

        @Test func clearingKeepsCommittedText() {
            var driver = Driver(Driver.manual)
            driver.speak(2)
            let item = driver.send(["type": "input_audio_buffer.commit"])[0]["item_id"]
            driver.speak(2)
            driver.send(["type": "input_audio_buffer.clear"])
            let events = driver.hear((" committed", 1), (" gone", 3))
            #expect(events.map { $0["delta"] } == ["committed"] && events.map { $0["item_id"] } == [item])
            driver.speak(2)
            driver.send(["type": "input_audio_buffer.commit"])
            #expect(driver.hear((" gone too", 3.5)).isEmpty)
        }

        @Test mutating func speechThatContinuesAfterAClearIsATurn() {
            driver.speak(2)
            driver.take(driver.proto.speechBegan(at: 1))
            driver.send(["type": "input_audio_buffer.clear"])
            #expect(driver.proto.openItems == 0)
            driver.speak(2)
            driver.hear((" kept", 2.5))
            let events = driver.take(driver.proto.speechEnded(at: 3, noticed: 3.5))
            #expect(
                types(events).prefix(3) == [
                    "input_audio_buffer.speech_started", prefix + "delta", "input_audio_buffer.speech_stopped",
                ])
            #expect(events[1]["delta"] == "kept")
            var silent = Driver()
            silent.speak(2)
            silent.take(silent.proto.speechBegan(at: 1))
            silent.send(["type": "input_audio_buffer.clear"])
            #expect(silent.take(silent.proto.speechEnded(at: 1.9, noticed: 2.4)).isEmpty)
        }

        // MARK: Errors and ends

        @Test(arguments: ["", "7", "[]", "{", "null", "{\"type\": 5}", "{}", "{\"type\": \"nothing\"}"])
        mutating func aMalformedEventIsAnErrorAndTheSessionContinues(_ text: String) {
            let events = driver.take(driver.proto.receive(text))
            #expect(types(events) == ["error"])
            #expect(events[0]["error"]?["type"] == "invalid_request_error")
            #expect(driver.speak(1).isEmpty && driver.proto.received == 1)
        }

        @Test mutating func onlyAudioMayBeLong() {
            let long = String(repeating: "AAAA", count: RealtimeProtocol.longestEvent / 4)
            let events = driver.send(["type": "session.update", "session": [:], "padding": .string(long)])
            #expect(events.first?["error"]?["code"] == "message_too_large")
            driver.send(["type": "input_audio_buffer.append", "audio": .string(long)])
            #expect(driver.proto.received > 0)
        }

        @Test mutating func conversationEventsAreRefused() {
            let events = driver.send(["type": "response.create", "event_id": "r"])
            #expect(events[0]["error"]?["code"] == "unsupported_event" && events[0]["error"]?["event_id"] == "r")
        }

        @Test mutating func aClientThatSendsOnlyErrorsIsDisconnected() {
            for _ in 0..<RealtimeProtocol.mostErrors - 1 { driver.take(driver.proto.receive("x")) }
            #expect(!driver.actions.contains { if case .close = $0 { true } else { false } })
            driver.speak(1)
            for _ in 0..<RealtimeProtocol.mostErrors { driver.take(driver.proto.receive("x")) }
            guard case .close(let reason)? = driver.actions.last else { return #expect(Bool(false)) }
            #expect(reason.code == 1008)
        }

        @Test mutating func deepNestingIsAnErrorNotACrash() {
            let deep = String(repeating: "[", count: 100_000)
            #expect(types(driver.take(driver.proto.receive(deep))) == ["error"])
            #expect(
                types(driver.take(driver.proto.receive(#"{"type": "session.update", "session": "# + deep))) == ["error"]
            )
        }

        @Test mutating func aFailedEngineFailsPendingItems() {
            driver.speak(5)
            driver.take(driver.proto.speechBegan(at: 1))
            driver.take(driver.proto.speechEnded(at: 2, noticed: 2.5))
            driver.take(driver.proto.speechBegan(at: 3))
            let events = driver.take(driver.proto.engineFailed(.failed))
            #expect(types(events) == [prefix + "failed", prefix + "failed", "error"])
            #expect(events[0]["error"]?["code"] == "internal_error" && driver.proto.openItems == 0)
        }

        @Test mutating func finishingCommitsOpenAudio() {
            driver.speak(5)
            driver.take(driver.proto.speechBegan(at: 1))
            #expect(types(driver.take(driver.proto.finish())).first == "input_audio_buffer.committed")
            driver.hear((" end", 4))
            #expect(driver.take(driver.proto.finished())[0]["transcript"] == "end")
            var manual = Driver(Driver.manual)
            #expect(manual.take(manual.proto.finish()).isEmpty)
            manual.speak(1)
            #expect(types(manual.take(manual.proto.finish())).first == "input_audio_buffer.committed")
            #expect(types(manual.take(manual.proto.finished())) == [prefix + "completed"])
            #expect(manual.take(manual.proto.finished()).isEmpty)
        }

        /// Sessions of random events: texts come once, in order, and every item has one end.
        @Test func randomSessionsNeitherLoseNorRepeatText() {
            var random = SplitMix64(seed: 5)
            for _ in 0..<150 {
                var driver = Driver(random.next() % 2 == 0 ? RealtimeConfiguration() : Driver.manual)
                var word = 0, heard = 0.0, isSpeaking = false, all: [JSONValue] = []
                for _ in 0..<60 {
                    let now = driver.proto.received
                    switch random.next() % 7 {
                    case 0, 1, 2: all += driver.speak(Double(random.next() % 4) / 10)
                    case 3 where heard + 0.05 < now:
                        heard = min(now, heard + 0.05 + Double(random.next() % 10) / 50)
                        all += driver.hear((" w\(word)", heard))
                        word += 1
                    case 4 where driver.proto.configuration.turnDetection != nil && now > heard:
                        heard = max(heard, now - 0.05)
                        all += driver.take(
                            isSpeaking
                                ? driver.proto.speechEnded(at: heard, noticed: now)
                                : driver.proto.speechBegan(at: heard))
                        isSpeaking.toggle()
                    case 5: all += driver.send(["type": "input_audio_buffer.commit"])
                    case 6:
                        if case .finalize(let item, let time)? = driver.actions.last(where: {
                            if case .finalize = $0 { true } else { false }
                        }), time <= heard {
                            all += driver.take(driver.proto.finalized(item))
                        }
                    default: break
                    }
                }
                all += driver.take(driver.proto.finish()) + driver.take(driver.proto.finished())
                let committed = all.filter { $0["type"] == "input_audio_buffer.committed" }.map { $0["item_id"] }
                let completed = all.filter { $0["type"] == .string(prefix + "completed") }
                #expect(completed.map { $0["item_id"] } == committed)
                for event in completed {
                    let deltas = all.filter {
                        $0["type"] == .string(prefix + "delta") && $0["item_id"] == event["item_id"]
                    }
                    #expect(deltas.compactMap { $0["delta"]?.string }.joined() == event["transcript"]?.string)
                }
                let words = completed.compactMap { $0["transcript"]?.string }.joined(separator: " ").split(
                    separator: " ")
                #expect(Set(words).count == words.count)
                #expect(words == words.sorted { Int($0.dropFirst())! < Int($1.dropFirst())! })
                let ids = all.compactMap { $0["event_id"]?.string }
                #expect(Set(ids).count == ids.count)
            }
        }
    }
#endif
