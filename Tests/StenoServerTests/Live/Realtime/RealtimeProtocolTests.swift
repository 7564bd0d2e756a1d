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
                take(proto.heard(Self.segment(words)))
            }

            private static func segment(_ words: [(String, Double)]) -> LiveSegment {
                let list = words.map { Word(rawText: $0.0, start: $0.1, end: $0.1 + 0.2, probability: 0.5) }
                return LiveSegment(
                    id: 0, start: list[0].start, end: list[list.count - 1].end, text: list.map(\.rawText).joined(),
                    isFinal: true, words: list)
            }

            /// What a line of a script does: an event of the client in JSON, or something that the engine reports.
            mutating func actions(for command: String) throws -> [RealtimeAction] {
                if command.hasPrefix("{") { return proto.receive(command) }
                let words = command.split(separator: " ").map(String.init)
                let times = words.compactMap(Double.init)
                switch words[0] {
                case "begin":
                    if words.last == "beta" { self = Driver(RealtimeConfiguration(), .beta) }
                    return proto.begin()
                case "speak":
                    let format = proto.configuration.format
                    let audio = Data(count: Int(times[0] * Double(format.sampleRate)) * format.bytesPerSample)
                    let event: JSONValue = [
                        "type": "input_audio_buffer.append", "audio": .string(audio.base64EncodedString()),
                    ]
                    return proto.receive(event.text)
                case "hear":
                    // A word follows a space, punctuation does not.
                    let spoken = words.dropFirst().filter { Double($0) == nil }
                        .map { $0.first?.isLetter == true ? " " + $0 : $0 }
                    return proto.heard(Self.segment(Array(zip(spoken, times))))
                case "mark": return proto.heard(mark: words[1])
                case "speech-begins": return proto.speechBegan(at: times[0])
                case "speech-ends": return proto.speechEnded(at: times[0], noticed: times[1])
                case "finalized": return proto.finalized(words[1])
                case "configured": return proto.configured()
                case "refused": return proto.refused(.invalid("No.", parameter: "language", code: "unknown_language"))
                case "failed": return proto.engineFailed(.failed)
                case "finish": return proto.finish()
                case "finished": return proto.finished()
                default: throw RecordedScript.UnknownCommand(text: command)
                }
            }

            /// An action as a line of a script.
            static func line(_ action: RealtimeAction) -> String {
                func number(_ value: Double) -> String { JSONValue.number(value).text }
                switch action {
                case .send(let event): return event.text
                case .audio(let samples, let rate):
                    let values = samples.count <= 4 ? " \(samples)" : ""
                    return "audio \(samples.count) samples\(values) at \(rate) Hz"
                case .finalize(let item, let time): return "finalize \(item) through \(number(time))"
                case .forget(let time): return "forget before \(number(time))"
                case .configure(_, let new):
                    let options = new.options
                    let words = options.vocabulary.isEmpty ? "-" : options.vocabulary.joined(separator: " ")
                    return
                        "configure \(new.format.formerName) at \(new.format.sampleRate) Hz, model \(new.model ?? "-"), "
                        + "language \(options.language ?? "-"), prompt \(options.prompt ?? "-"), words \(words), "
                        + "pre-roll \(number(options.preRoll)) s, endpoint \(number(options.endpoint)) s"
                case .close(let reason): return "close \(reason.code)"
                }
            }
        }

        /// What goes in and comes out, as it is written in Tests/Fixtures/realtime.
        @Test(arguments: RecordedScript.all(in: "realtime"))
        func aSessionIsAsRecorded(_ script: RecordedScript) throws {
            var driver = Driver()
            let (committed, played) = try script.play { try driver.actions(for: $0).map(Driver.line) }
            #expect(played == committed)
        }

        private let prefix = "conversation.item.input_audio_transcription."

        private static let wrongValues: [(input: JSONValue, field: String)] = [
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
        ]

        @Test mutating func aWrongValueIsRefusedWithItsField() {
            for (input, field) in Self.wrongValues {
                let events = driver.send(["type": "session.update", "session": ["audio": ["input": input]]])
                #expect(events.first?["error"]?["param"] == .string("session.audio.input." + field))
                #expect(events.first?["error"]?["code"] == "invalid_value", "\(field)")
                #expect(driver.proto.configuration == RealtimeConfiguration(), "\(field)")
            }
        }

        @Test func semanticTurnsEndAccordingToTheirEagerness() throws {
            for (eagerness, silence) in [("low", 1.0), ("medium", 0.6), ("auto", 0.6), ("high", 0.35), (nil, 0.6)] {
                let given = eagerness.map { ["eagerness": JSONValue.string($0)] } ?? [:]
                let turns = JSONValue.object(["type": "semantic_vad"].merging(given) { $1 })
                var configuration = RealtimeConfiguration()
                try configuration.update(["turn_detection": turns])
                #expect(configuration.options.endpoint == silence)
                #expect(configuration.turnDetection?.json == turns || eagerness == nil)
            }
        }

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

        @Test func theLargestAppendFitsIntoAMessage() {
            let base64 = (RealtimeProtocol.largestAppend + 2) / 3 * 4
            #expect(WebSocketLimits().messageBytes >= base64 + 10_000)
        }

        /// Deep nesting must not end the process.
        @Test mutating func aMalformedEventIsAnErrorAndTheSessionContinues() {
            let deep = String(repeating: "[", count: 100_000)
            let large = Data(count: RealtimeProtocol.largestAppend + 2).base64EncodedString()
            let appends = [#""%%%""#, "7", "null", #""\#(large)""#].map {
                #"{"type": "input_audio_buffer.append", "audio": \#($0)}"#
            }
            for text in ["", "7", "[]", "{", "null", #"{"type": 5}"#, "{}", #"{"type": "nothing"}"#, deep]
                + [#"{"type": "session.update", "session": \#(deep)"#, #"{"type": "input_audio_buffer.append"}"#]
                + appends
            {
                let events = driver.take(driver.proto.receive(text))
                #expect(events.map { $0["type"] } == ["error"], "\(text.prefix(50))")
                #expect(events.first?["error"]?["type"] == "invalid_request_error", "\(text.prefix(50))")
            }
            #expect(driver.proto.received == 0 && driver.speak(1).isEmpty && driver.proto.received == 1)
        }

        @Test mutating func onlyAudioMayBeLong() {
            let long = String(repeating: "AAAA", count: RealtimeProtocol.longestEvent / 4)
            let events = driver.send(["type": "session.update", "session": [:], "padding": .string(long)])
            #expect(events.first?["error"]?["code"] == "message_too_large")
            driver.send(["type": "input_audio_buffer.append", "audio": .string(long)])
            #expect(driver.proto.received > 0)
        }

        @Test mutating func aClientThatSendsOnlyErrorsIsDisconnected() {
            for _ in 0..<RealtimeProtocol.mostErrors - 1 { driver.take(driver.proto.receive("x")) }
            #expect(!driver.actions.contains { if case .close = $0 { true } else { false } })
            driver.speak(1)
            for _ in 0..<RealtimeProtocol.mostErrors { driver.take(driver.proto.receive("x")) }
            guard case .close(let reason)? = driver.actions.last else { return #expect(Bool(false)) }
            #expect(reason.code == 1008)
        }

        /// Sessions of random events: texts come once, in order, and every item has one end.
        @Test func randomSessionsNeitherLoseNorRepeatText() {
            var random = SplitMix64(seed: 5)
            for _ in 0..<(isLong ? 150 : 50) {
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
