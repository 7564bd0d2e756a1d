#if Server
    import Foundation
    import Steno
    import StenoCore

    /// OpenAI's protocol for realtime transcription as a value: client messages and engine events go in, actions come
    /// out.
    ///
    /// It has no sockets, engines or clocks. Times are seconds of the client's audio. It always understands the names
    /// of both the general-availability protocol and the beta; its events have the names of the one that the client
    /// speaks.
    package struct RealtimeProtocol: Sendable {
        /// The protocol whose names the events have.
        package enum Dialect: Sendable { case current, beta }

        /// The client's settings, as far as they were accepted.
        package private(set) var configuration: RealtimeConfiguration
        package private(set) var dialect: Dialect

        let id: String
        /// Turns whose text is not complete, in order; only the last may have no end.
        var items: [RealtimeItem] = []
        /// Final text that belongs to no turn yet.
        var waiting: [LiveSegment] = []
        /// The item that has the last final word; nil if that word waits or was discarded.
        var lastItem: String?
        /// The item that was committed last.
        var previous: String?
        /// Where the audio that belongs to no item yet begins.
        var boundary = 0.0
        /// The time before which the client discarded the audio.
        var cleared = 0.0
        var clock = Clock()
        /// The first byte of a sample whose second byte is still to come.
        private var half: UInt8?
        /// The configuration before an unconfirmed change, and the event that requested it.
        private var change: (old: RealtimeConfiguration, event: String?, name: String)?
        private var count = 0
        private var errors = 0

        /// - Parameters:
        ///   - id: A random text, from which all ids of the session are made.
        ///   - configuration: The settings in the client's token or request, before the first event.
        package init(
            id: String, configuration: RealtimeConfiguration = RealtimeConfiguration(), dialect: Dialect = .current
        ) { (self.id, self.configuration, self.dialect) = (id, configuration, dialect) }

        /// Counts a client's audio exactly, even if its rate changes.
        struct Clock: Sendable {
            private var base = 0.0
            private var samples = 0
            private var rate = 24_000

            var seconds: Double { base + Double(samples) / Double(rate) }

            mutating func add(_ count: Int, rate: Int) {
                if rate != self.rate { (base, samples, self.rate) = (seconds, 0, rate) }
                samples += count
            }
        }

        /// The first event.
        package mutating func begin() -> [RealtimeAction] {
            [session(dialect == .beta ? "transcription_session.created" : "session.created")]
        }
    }

    // MARK: The client's events

    extension RealtimeProtocol {
        /// The most audio in one event, in bytes before base64.
        package static let largestAppend = 15 << 20
        /// The most bytes of any other event: enough for the longest configuration, even if escaped.
        static let longestEvent = 256 << 10
        /// The least audio that can be committed, in seconds.
        package static let shortestCommit = 0.1
        /// A client that sends this many invalid events in a row is disconnected.
        static let mostErrors = 100

        package mutating func receive(_ text: String) -> [RealtimeAction] {
            guard let event = try? JSONValue(parsing: text.utf8), event.object != nil else {
                return fail(.invalid("An event must be a JSON object.", code: "invalid_json"), event: nil)
            }
            let cause = event["event_id"]?.string
            do throws(ServerError) {
                let isAudio = event["type"] == "input_audio_buffer.append"
                guard isAudio || text.utf8.count <= Self.longestEvent else {
                    throw .invalid(
                        "An event without audio may have at most 256 KiB: leave out what it does not need.",
                        code: "message_too_large")
                }
                let actions = try perform(event, cause)
                errors = 0
                return actions
            } catch { return fail(error, event: cause) }
        }

        private mutating func perform(_ event: JSONValue, _ cause: String?) throws(ServerError) -> [RealtimeAction] {
            switch event["type"]?.string {
            case "input_audio_buffer.append": return try append(event["audio"])
            case "input_audio_buffer.commit": return try commit()
            case "input_audio_buffer.clear": return clear()
            case "session.update": return try update(event["session"], cause, "session.updated")
            case "transcription_session.update":
                dialect = .beta
                return try update(event["session"], cause, "transcription_session.updated")
            case "conversation.item.create", "conversation.item.delete", "conversation.item.retrieve",
                "conversation.item.truncate", "response.create", "response.cancel", "output_audio_buffer.clear":
                throw .invalid(
                    "This server transcribes: it has no responses and no other items.", parameter: "type",
                    code: "unsupported_event")
            case let name?: throw .invalidValue("There is no event “\(name.prefix(100))”.", "type")
            case nil: throw .invalid("The event has no type.", parameter: "type", code: "missing_required_parameter")
            }
        }

        private mutating func append(_ audio: JSONValue?) throws(ServerError) -> [RealtimeAction] {
            guard let text = audio?.string else {
                throw .invalid("audio must be a string.", parameter: "audio", code: "missing_required_parameter")
            }
            guard var bytes = Data(base64Encoded: text) else { throw .invalidValue("audio must be base64.", "audio") }
            guard bytes.count <= Self.largestAppend else {
                throw .invalidValue("audio may have at most 15 MiB: send it in several events.", "audio")
            }
            if let half { bytes.insert(half, at: 0) }
            let format = configuration.format
            half = bytes.count % format.bytesPerSample == 0 ? nil : bytes.last
            let samples = format.samples(bytes)
            guard !samples.isEmpty else { return [] }
            clock.add(samples.count, rate: format.sampleRate)
            return [.audio(samples, sampleRate: format.sampleRate)]
        }

        private mutating func commit() throws(ServerError) -> [RealtimeAction] {
            let now = clock.seconds
            guard now - boundary >= Self.shortestCommit - 1e-9 else {
                let milliseconds = Int(((now - boundary) * 1000).rounded())
                throw .invalid(
                    "The buffer is too short to commit: it has \(milliseconds) ms of audio, and at least 100 ms are needed.",
                    code: "input_audio_buffer_commit_empty")
            }
            let isSpeaking = items.last.map { $0.end == nil } ?? false
            if !isSpeaking { items.append(RealtimeItem(id: newID("item"), start: boundary)) }
            var actions = close(at: now)
            // The turn continues in a new item.
            if isSpeaking { actions += open(at: now) }
            return actions
        }

        private mutating func clear() -> [RealtimeAction] {
            let now = clock.seconds
            if items.last?.end == nil { _ = items.popLast() }
            waiting = []
            (cleared, boundary, half) = (now, now, nil)
            return [.forget(before: now), event("input_audio_buffer.cleared", [:])]
        }

        private mutating func update(
            _ session: JSONValue?, _ cause: String?, _ name: String
        ) throws(ServerError) -> [RealtimeAction] {
            guard let session else {
                throw .invalid("session is missing.", parameter: "session", code: "missing_required_parameter")
            }
            var new = configuration
            try new.update(session)
            let old = configuration
            if new.format != old.format { half = nil }
            configuration = new
            change = (old, cause, name)
            return [.configure(from: old, to: new)]
        }

        /// Confirms a change of the configuration.
        package mutating func configured() -> [RealtimeAction] {
            guard let change else { return [] }
            self.change = nil
            return [session(change.name)]
        }

        /// Undoes a change of the configuration that is not possible.
        package mutating func refused(_ error: ServerError) -> [RealtimeAction] {
            guard let change else { return fail(error, event: nil) }
            self.change = nil
            configuration = change.old
            return fail(error, event: change.event)
        }

        /// Reports an error; the session continues.
        package mutating func fail(_ error: ServerError, event cause: String?) -> [RealtimeAction] {
            errors += 1
            let report = event("error", ["error": error.json(cause: cause)])
            guard errors < Self.mostErrors else { return [report, .close(WebSocketClose(1008, "Too many errors."))] }
            return [report]
        }
    }

    // MARK: The server's events

    extension RealtimeProtocol {
        private mutating func session(_ name: String) -> RealtimeAction {
            let isFormer = name.hasPrefix("transcription_session")
            return event(
                name,
                [
                    "session": isFormer
                        ? configuration.formerJSON(id: "sess_\(id)") : configuration.json(id: "sess_\(id)")
                ])
        }

        mutating func event(_ type: String, _ members: [String: JSONValue]) -> RealtimeAction {
            .send(.object(members.merging(["type": .string(type), "event_id": .string(newID("event"))]) { $1 }))
        }

        mutating func newID(_ kind: String) -> String {
            count += 1
            return "\(kind)_\(id)\(count)"
        }

        func milliseconds(_ seconds: Double) -> JSONValue { .number((seconds * 1000).rounded()) }
    }

    /// What a session has to do after a step of its protocol.
    package enum RealtimeAction: Sendable, Equatable {
        case send(JSONValue)
        case audio([Int16], sampleRate: Int)
        /// Make the text before a time final, and report that with ``RealtimeProtocol/finalized(_:)``.
        case finalize(item: String, through: Double)
        /// Forget the speech before a time, except what is final.
        case forget(before: Double)
        /// Change to another configuration, and report that with ``RealtimeProtocol/configured()`` or
        /// ``RealtimeProtocol/refused(_:)``.
        case configure(from: RealtimeConfiguration, to: RealtimeConfiguration)
        case close(WebSocketClose)
    }
#endif
