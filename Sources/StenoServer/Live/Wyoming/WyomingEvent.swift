#if Server
    package import NIOCore
    import Steno

    /// A message of the Wyoming protocol: a type, data, and audio or other bytes.
    ///
    /// On the wire it is a line of JSON (`{"type": …, "data_length": …, "payload_length": …}`), then `data_length`
    /// bytes of JSON, which are merged into the line's `data`, then `payload_length` bytes of payload.
    package struct WyomingEvent: Sendable, Equatable {
        package var type: String
        package var data: [String: JSONValue]
        package var payload: [UInt8]

        package init(_ type: String, _ data: [String: JSONValue] = [:], payload: [UInt8] = []) {
            (self.type, self.data, self.payload) = (type, data, payload)
        }

        /// Whether it begins or continues a recording.
        var isAudio: Bool { type == "audio-start" || type == "audio-chunk" }

        /// The message in its wire format.
        package var bytes: [UInt8] {
            let body = data.isEmpty ? [] : Array(JSONValue.object(data).text.utf8)
            var head: [String: JSONValue] = ["type": .string(type), "version": .string(Self.version)]
            if !body.isEmpty { head["data_length"] = .number(Double(body.count)) }
            if !payload.isEmpty { head["payload_length"] = .number(Double(payload.count)) }
            return Array((JSONValue.object(head).text + "\n").utf8) + body + payload
        }

        /// The version of the protocol that the messages follow.
        static let version = "1.7.2"
    }

    /// Parses messages from bytes that arrive in pieces of any size.
    package struct WyomingParser {
        /// A message that cannot be parsed, which makes everything after it unreadable too.
        package struct Malformed: Error, CustomStringConvertible {
            package let description: String
        }

        /// The maximum size of a line, and of the data, in bytes.
        static let largestHead = 64 << 10
        /// The maximum size of a payload in bytes: over half a minute of 16-bit stereo at 48 kHz.
        static let largestPayload = 8 << 20

        private var head: (type: String, data: [String: JSONValue], dataLength: Int, payloadLength: Int)?

        package init() {}

        /// Takes the next whole message from the buffer; nil if more bytes are needed.
        ///
        /// - Throws: ``Malformed``.
        package mutating func next(_ buffer: inout ByteBuffer) throws(Malformed) -> WyomingEvent? {
            if head == nil {
                guard let line = try Self.line(&buffer) else { return nil }
                head = try Self.head(line)
            }
            guard let head, buffer.readableBytes >= head.dataLength + head.payloadLength else { return nil }
            var event = WyomingEvent(head.type, head.data)
            if let bytes = buffer.readBytes(length: head.dataLength), !bytes.isEmpty {
                guard let more = try? JSONValue(parsing: bytes), let members = more.object else {
                    throw Malformed(description: "The data of a message must be a JSON object.")
                }
                event.data.merge(members) { $1 }
            }
            event.payload = buffer.readBytes(length: head.payloadLength) ?? []
            self.head = nil
            return event
        }

        private static func line(_ buffer: inout ByteBuffer) throws(Malformed) -> [UInt8]? {
            let bytes = buffer.readableBytesView
            guard let end = bytes.prefix(largestHead).firstIndex(of: UInt8(ascii: "\n")) else {
                if bytes.count >= largestHead { throw Malformed(description: "The line of a message is too long.") }
                return nil
            }
            let line = Array(bytes[..<end])
            buffer.moveReaderIndex(to: end + 1)
            return line
        }

        private static func head(
            _ line: [UInt8]
        ) throws(Malformed) -> (type: String, data: [String: JSONValue], dataLength: Int, payloadLength: Int) {
            guard let value = try? JSONValue(parsing: line), let type = value["type"]?.string, type.utf8.count <= 200
            else { throw Malformed(description: "A message begins with a line of JSON that has a type.") }
            return (
                type, value["data"]?.object ?? [:], try length(value["data_length"], largestHead),
                try length(value["payload_length"], largestPayload)
            )
        }

        private static func length(_ value: JSONValue?, _ limit: Int) throws(Malformed) -> Int {
            guard let value, !value.isNull else { return 0 }
            guard let length = value.integer, (0...limit).contains(length) else {
                throw Malformed(description: "A length must be from 0 to \(limit).")
            }
            return length
        }
    }

    extension WyomingEvent {
        /// The answer to `describe`: one program for speech to text, with its models.
        static func info(_ models: [(name: String, languages: [String])]) -> WyomingEvent {
            let attribution: JSONValue = ["name": "Steno", "url": ""]
            let list = models.map { model in
                JSONValue.object([
                    "name": .string(model.name), "description": .string("\(model.name), on this machine"),
                    "attribution": attribution, "installed": true, "version": .string(StenoVersion.current),
                    "languages": .array(model.languages.map(JSONValue.string)),
                ])
            }
            return WyomingEvent(
                "info",
                [
                    "asr": [
                        [
                            "name": "steno", "description": "On-device speech-to-text", "attribution": attribution,
                            "installed": true, "version": .string(StenoVersion.current), "models": .array(list),
                            "supports_transcript_streaming": true, "requires_external_vad": true,
                            "prefers_auto_gain_enabled": true,
                        ]
                    ],
                    "tts": [], "handle": [], "intent": [], "wake": [], "mic": [], "snd": [],
                ])
        }

        static func error(_ error: ServerError) -> WyomingEvent {
            WyomingEvent("error", ["text": .string(error.message), "code": .string(error.code ?? error.type)])
        }
    }
#endif
