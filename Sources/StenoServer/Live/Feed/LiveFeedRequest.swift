#if Server
    import Foundation
    import NIOCore
    import Steno
    import StenoCore

    /// A message from a client of `/v1/steno/live`: JSON as text, audio as binary messages.
    enum LiveFeedRequest: Sendable, Equatable {
        /// The first message: a new session, or one that lost its connection after the event with that number.
        case hello(session: String?, lastEvent: Int, LiveFeedOptions)
        /// The first message of a screen that shows the text of another client.
        case watch(screen: String)
        /// 16-bit samples at 16 kHz, and the number of the first one.
        case audio([Int16], position: Int)
        /// Other settings for the audio from now on.
        case update(LiveFeedOptions)
        /// Make all text so far final.
        case finalize
        case clear
        case finish

        /// The maximum size of a text message in bytes: more than enough for the longest hotwords, even if escaped.
        ///
        /// Anyone who connects may send one before the session has a place, and parsed JSON takes many times its size.
        static let longestText = WebSocketLimits().askingMessageBytes

        /// Reads a message; unknown fields are ignored.
        ///
        /// - Throws: ``ServerError``.
        init(_ message: WebSocketMessage) throws(ServerError) {
            switch message {
            case .binary(let bytes): self = try Self.audio(bytes)
            case .text(let text): self = try Self.request(text)
            }
        }

        private static func audio(_ bytes: ByteBuffer) throws(ServerError) -> LiveFeedRequest {
            var bytes = bytes
            guard let position = bytes.readInteger(endianness: .little, as: UInt64.self), position <= lastPosition,
                bytes.readableBytes.isMultiple(of: 2)
            else {
                throw .invalid(
                    "Audio is a position (64 bits, little-endian) and 16-bit samples at 16 kHz.", code: "invalid_audio")
            }
            let samples = RealtimeAudioFormat.pcm(rate: 16_000).samples(bytes.readableBytesView)
            return .audio(samples, position: Int(position))
        }

        /// A hundred years of samples.
        private static let lastPosition: UInt64 = 100 * 365 * 86_400 * 16_000

        private static func request(_ text: String) throws(ServerError) -> LiveFeedRequest {
            guard text.utf8.count <= longestText else {
                throw .invalid("A text message may have at most \(longestText) bytes.", code: "message_too_large")
            }
            guard let value = try? JSONValue(parsing: text.utf8), let type = value["type"]?.string else {
                throw .invalid("A message must be a JSON object with a type.", code: "invalid_json")
            }
            switch type {
            case "hello":
                return .hello(
                    session: try LiveFeedOptions.field("session", of: value, "a string", \.string),
                    lastEvent: try LiveFeedOptions.field("lastEvent", of: value, "a whole number", \.integer) ?? -1,
                    try LiveFeedOptions(value))
            case "watch":
                guard let screen = try LiveFeedOptions.screen(value["screen"]) else {
                    throw .invalidValue(
                        "There is nothing to watch: name a screen, as in the address that the page shows under “Second "
                            + "screen and OBS”.", "screen")
                }
                return .watch(screen: screen)
            case "update": return .update(try LiveFeedOptions(value))
            case "finalize": return .finalize
            case "clear": return .clear
            case "finish": return .finish
            default: throw .invalidValue("There is no message “\(type.prefix(100))”.", "type")
            }
        }
    }

    struct LiveFeedOptions: Sendable, Equatable {
        var model: String?
        /// The language, the task and the words to expect; in messages `language`, `task` and `hotwords`.
        var settings = SpeechSettings()
        /// Whether speakers are labelled, if the server does that.
        var hasSpeakers = false
        /// Whether the session is saved, if the server saves any; nil means false at its start, and unchanged later.
        var isKept: Bool?
        /// The name by which other screens show the session; as long as a key, because anyone who knows it can read
        /// along.
        var screen: String?

        init() {}

        init(_ value: JSONValue) throws(ServerError) {
            model = try Self.field("model", of: value, "a string", \.string)
            settings.language = try Self.field("language", of: value, "a string", \.string)
            let hotwords = try Self.hotwords(Self.field("hotwords", of: value, "a string", \.string))
            settings.vocabulary = [String](hotwords: hotwords)
            hasSpeakers = try Self.field("speakers", of: value, "true or false", \.bool) ?? false
            isKept = try Self.field("save", of: value, "true or false", \.bool)
            screen = try Self.screen(value["screen"])
            if let name = try Self.field("task", of: value, "a string", \.string) {
                guard let task = TranscriptionTask(rawValue: name) else {
                    throw .invalidValue("The task must be transcribe or translate.", "task")
                }
                settings.task = task
            }
        }

        /// A field, or nil if it is missing; one of another type is an error, so that it is not silently ignored.
        static func field<Value>(
            _ name: String, of message: JSONValue, _ kind: String, _ read: (JSONValue) -> Value?
        ) throws(ServerError) -> Value? {
            guard let given = message[name], !given.isNull else { return nil }
            guard let value = read(given) else { throw .invalidValue("\(name) must be \(kind).", name) }
            return value
        }

        /// Limits the hotwords: the model reads a few hundred tokens, but all are tokenised for every decoding, while
        /// other sessions wait.
        private static func hotwords(_ text: String?) throws(ServerError) -> String? {
            let limit = 10_000
            guard (text?.utf8.count ?? 0) <= limit else {
                throw .invalidValue("The hotwords may have at most \(limit) bytes.", "hotwords")
            }
            return text
        }

        static func screen(_ value: JSONValue?) throws(ServerError) -> String? {
            guard let value, !value.isNull else { return nil }
            guard let name = value.string, (22...64).contains(name.utf8.count),
                name.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) })
            else { throw .invalidValue("The name of a screen has 22 to 64 letters and digits.", "screen") }
            return name
        }

        var live: LiveOptions { LiveOptions().with { $0.settings = settings } }
    }
#endif
