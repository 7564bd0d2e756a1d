#if Server
    import Foundation
    import NIOCore
    import NIOEmbedded
    import NIOWebSocket
    import StenoTestSupport
    import Testing

    /// Frames as a client sends them: masked, unless a test wants them otherwise.
    enum ClientFrames {
        static let key: WebSocketMaskingKey = [0x11, 0xA2, 0x37, 0xF4]

        static func frame(
            _ opcode: WebSocketOpcode, _ bytes: some Sequence<UInt8>, fin: Bool = true, masked: Bool = true,
            rsv1: Bool = false
        ) -> WebSocketFrame {
            var data = ByteBuffer(bytes: bytes)
            if masked { data.webSocketMask(key) }
            return WebSocketFrame(fin: fin, rsv1: rsv1, opcode: opcode, maskKey: masked ? key : nil, data: data)
        }

        static func text(_ text: String, fin: Bool = true) -> WebSocketFrame { frame(.text, text.utf8, fin: fin) }

        static func close(_ code: UInt16?, _ reason: String = "") -> WebSocketFrame {
            frame(.connectionClose, (code.map { [UInt8($0 >> 8), UInt8($0 & 255)] } ?? []) + reason.utf8)
        }

        static func bytes(_ opcode: UInt8, _ payload: [UInt8], fin: Bool = true, masked: Bool = true) -> [UInt8] {
            var bytes: [UInt8] = [(fin ? 0x80 : 0) | opcode]
            let mask: UInt8 = masked ? 0x80 : 0
            switch payload.count {
            case ...125: bytes.append(mask | UInt8(payload.count))
            case ...65_535: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
            default:
                bytes.append(mask | 127)
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
            }
            guard masked else { return bytes + payload }
            return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
        }

        /// A live session's audio message, as bytes on the wire.
        static func audio(_ samples: some Collection<Float>, at position: Int) -> [UInt8] {
            let head = (0..<8).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) }
            return bytes(2, head + bytes16(Array(samples)))
        }
    }

    extension EmbeddedChannel {
        /// Closes the channel and runs its pending tasks; an open channel and its pipeline retain each other.
        func end() { _ = try? finish(acceptAlreadyClosed: true) }

        /// Plays a script of steps that go in, each followed by all that comes out, and records both.
        ///
        /// The time passes with `wait`, the client stops reading with `full`, and `ended` comes out when the channel closes.
        ///
        /// - Parameters:
        ///   - input: Does the other steps.
        ///   - output: Records what came out of a step.
        func play(
            _ script: String, _ record: Recorder<String>,
            input: (_ step: String, _ value: String) throws -> Void, output: () throws -> Void
        ) throws {
            let results = "message text ping pong close refused shutting ended got continue".components(
                separatedBy: " ")
            for step in script.components(separatedBy: ", ") {
                let name = String(step.prefix { $0 != " " }), value = String(step.dropFirst(name.count + 1))
                guard !results.contains(name) else { continue }
                let wasActive = isActive
                record.add(step)
                switch name {
                case "wait": embeddedEventLoop.advanceTime(by: .seconds(Int64(value) ?? 0))
                case "full", "room":
                    isWritable = name == "room"
                    pipeline.fireChannelWritabilityChanged()
                default: try input(name, value)
                }
                try output()
                if wasActive, !isActive { record.add("ended") }
            }
        }
    }

    /// Holds all writes until a test releases them, like a client that does not read.
    final class StuckHandler<OutboundIn>: ChannelOutboundHandler {
        private var promises: [EventLoopPromise<Void>?] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            promises.append(promise)
        }

        func handlerRemoved(context: ChannelHandlerContext) { release() }

        func release() {
            for promise in promises { promise?.succeed(()) }
            promises = []
        }
    }

    /// A committed script: each line after `>` goes in, and the lines after `<` are all that comes out.
    struct RecordedScript: Sendable, CustomTestStringConvertible {
        struct UnknownCommand: Error { let text: String }

        let file: URL
        var testDescription: String { file.deletingPathExtension().lastPathComponent }

        /// The scripts in a folder of the fixtures, without those in its own folders; if there are none, one that cannot be
        /// read, so that the test fails.
        static func all(in folder: String) -> [Self] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: Fixtures.file(folder).path)) ?? []
            let scripts = names.filter { $0.contains(".") }.sorted()
            return (scripts.isEmpty ? ["none"] : scripts).map { Self(file: Fixtures.file("\(folder)/\($0)")) }
        }

        func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

        /// The script, and the same with what comes out now.
        func play(_ answer: (String) throws -> [String]) throws -> (committed: String, played: String) {
            var played: [String] = []
            for line in try text().components(separatedBy: "\n") where !line.hasPrefix("< ") {
                played.append(line)
                if line.hasPrefix("> ") { played += try answer(String(line.dropFirst(2))).map { "< " + $0 } }
            }
            return try compared(with: played.joined(separator: "\n"))
        }

        /// The script and another text, which replaces it if `STENO_UPDATE_SNAPSHOTS` is 1.
        func compared(with played: String) throws -> (committed: String, played: String) {
            let committed = try text()
            if ProcessInfo.processInfo.environment["STENO_UPDATE_SNAPSHOTS"] == "1" {
                try Data(played.utf8).write(to: file)
            }
            return (committed, played)
        }
    }
#endif
