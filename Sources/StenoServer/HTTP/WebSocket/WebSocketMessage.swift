#if Server
    package import NIOCore

    /// A whole message from a client, its fragments joined.
    package enum WebSocketMessage: Sendable, Equatable {
        case text(String)
        case binary(ByteBuffer)
    }

    /// Something that a server sends: a message, or the end of the connection.
    package enum WebSocketOutput: Sendable, Equatable {
        case text(String)
        case close(WebSocketClose)

        /// Its size in bytes, without the header of the frame.
        var byteCount: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .close: 0
            }
        }
    }

    /// Why a WebSocket connection ends: the code and the reason of its close frame (RFC 6455, 7.4).
    package struct WebSocketClose: Error, Sendable, Hashable {
        package let code: UInt16
        /// A sentence for people; at most 123 bytes of it are sent.
        package let reason: String

        package init(_ code: UInt16, _ reason: String) {
            self.code = code
            self.reason = reason
        }

        /// The purpose of the connection is fulfilled.
        package static let normal = WebSocketClose(1000, "")
        package static let goingAway = WebSocketClose(1001, "The server is shutting down.")

        static func violation(_ reason: String) -> WebSocketClose { WebSocketClose(1002, reason) }

        /// The part of the reason that fits into a close frame, in whole characters.
        var body: ByteBuffer {
            var buffer = ByteBuffer()
            buffer.writeInteger(code)
            var text = ""
            for character in reason where text.utf8.count + character.utf8.count <= 123 { text.append(character) }
            buffer.writeString(text)
            return buffer
        }

        /// Whether a client may send the code: one of the standard, of a library or of an application.
        static func isValid(_ code: UInt16) -> Bool {
            switch code {
            case 1000...1003, 1007...1014, 3000...4999: true
            default: false
            }
        }
    }
#endif
