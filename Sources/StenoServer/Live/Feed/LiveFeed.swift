#if Server
    import NIOCore
    import Steno
    import StenoCore

    /// A session of `/v1/steno/live`, which outlives its connections.
    ///
    /// Acknowledged audio is never requested again, and every event is sent once, through whichever connection. Text
    /// that becomes final without a connection waits for the client.
    actor LiveFeed {
        /// How long a session waits for its client to come back.
        static let patience = TimeAmount.seconds(60)

        nonisolated let id: String
        private let voice: LiveVoice
        private let ticket: AdmissionTicket
        private let metrics: ServerMetrics?
        private let loop: any EventLoop
        private let onEnd: @Sendable () -> Void
        private let model: String
        private let language: String?
        private var recorder: (any CaptionsRecorder)?
        private var timeline = RecordingTimeline()
        /// When the session began, by the loop's clock.
        private let began: NIODeadline
        private var loss = Loss.none
        private var log = LiveFeedLog()
        private(set) var lifecycle = LiveFeedLifecycle()
        /// The newest connection, even if its client is still catching up.
        private var connection: WebSocketConnection?
        /// The number of samples that the engine has received.
        private var position = 0
        /// The same without gaps, whose length the client chooses.
        private var heard = 0
        private var lastRead = -1
        /// Events up to this one are not sent through the current connection.
        private var sentThrough = -1
        private var reader: Task<Void, Never>?
        private var farewell: Scheduled<Void>?
        private var audioWatch: AudioWatch?

        /// Whether part of the session could not be saved, and the client knows.
        private enum Loss { case none, unreported, reported }

        /// - Parameters:
        ///   - speakers: How speakers are labelled, if the options ask for it.
        ///   - metrics: Counts the audio.
        ///   - loop: The clock.
        ///   - onEnd: Called once, when the session can no longer be continued.
        init(
            id: String, _ models: ModelHost, _ options: LiveFeedOptions, speakers: SpeakerOptions? = nil,
            metrics: ServerMetrics? = nil, _ ticket: AdmissionTicket, loop: any EventLoop,
            onEnd: @escaping @Sendable () -> Void
        ) async throws {
            (self.id, self.ticket, self.metrics, self.loop) = (id, ticket, metrics, loop)
            began = loop.now
            self.onEnd = onEnd
            model = options.model ?? models.names[0]
            language = options.settings.language
            var live = options.live
            if options.hasSpeakers { live.speakers = speakers }
            voice = try await LiveVoice(models, model: options.model, options: live, offset: 0)
        }

        /// Starts the engine; ``attach(_:after:)`` sends earlier events.
        func start() async throws {
            try await voice.start()
            reader = Task { [events = voice.events] in
                for await event in events { self.hear(event) }
                self.end()
            }
        }

        /// Ends the audio after a number of seconds without any; called before there is a connection.
        func watchAudio(_ seconds: Double) {
            audioWatch = AudioWatch(seconds, loop: loop) { [weak self] in Task { await self?.finish() } }
        }

        /// Saves the session from its start; if that fails, the session continues unsaved.
        func keep(in archive: any CaptionsArchive) async {
            let events = voice.engine.events(buffering: .standard)
            do {
                recorder = try await archive.begin(language: language, model: model, events: events) { [weak self] in
                    Task { await self?.lose() }
                }
            } catch { lose() }
        }

        /// Reports, once, that part of the session could not be saved, even if later parts are.
        private func lose() {
            guard loss == .none else { return }
            loss = .unreported
            sendNotice()
        }

        /// Sends the report on a loss, unless the client has it; one that is away gets it when it is back.
        private func sendNotice() {
            guard loss == .unreported, let connection, lifecycle.client == .connected else { return }
            loss = .reported
            let error = ServerError(
                status: 500,
                message: "Part of the session is not saved, because the history cannot be written. Check "
                    + "the server's log.", type: "server_error", code: "history_failed")
            connection.send(Self.report(error))
        }

        /// Stops saving; text saved so far stays.
        private func stopKeeping() {
            recorder?.finish()
            recorder = nil
        }

        /// The events from now on, after a snapshot of the text so far.
        func watch() -> TranscriptionEvents { voice.engine.events(buffering: .standard) }

        // MARK: Connections

        /// Continues through another connection, after the given event.
        ///
        /// - Returns: The number of the connection, for ``detach(_:)`` and ``take(_:_:)``.
        func attach(_ new: WebSocketConnection, after sequence: Int) async -> Int {
            perform(lifecycle.attach())
            let own = lifecycle.number
            // From now on, so that the next connection closes it even while it waits for the snapshot.
            connection = new
            var lines = log.lines(after: sequence)
            var through = lastRead
            var snapshot: [String] = []
            if lines == nil, let event = await currentSnapshot() {
                // Events that came in the meantime are in the log; those to come may be in the snapshot.
                snapshot = [event.jsonLine]
                through = max(lastRead, event.sequence)
                lines = log.lines(after: event.sequence)
            }
            guard let actions = lifecycle.connect(own) else { return own }
            let welcome: JSONValue = ["type": "welcome", "session": .string(id), "position": .number(Double(position))]
            for line in [welcome.text] + snapshot + (lines ?? []) { new.send(line) }
            sendNotice()
            sentThrough = through
            perform(actions)
            return own
        }

        /// The text so far, which a new reader gets first.
        private func currentSnapshot() async -> TranscriptionEvent? {
            var reader = voice.engine.events.makeAsyncIterator()
            return await reader.next()
        }

        /// Handles the end of a connection; the session waits for the next one.
        func detach(_ number: Int) { perform(lifecycle.detach(number)) }

        /// Ends a session whose client has not returned: the audio so far becomes text, for the history and for
        /// watching screens.
        private func expire(_ number: Int) async {
            guard number == lifecycle.number else { return }
            await finished()
            perform(lifecycle.expire(number))
        }

        private func perform(_ actions: [LiveFeedLifecycle.Action]) {
            for action in actions {
                switch action {
                case .endAudio:
                    // In a separate task, because the end of a connection must not cancel it.
                    Task { [engine = voice.engine] in try? await engine.finish() }
                case .startTimer: startTimer()
                case .stopTimer:
                    farewell?.cancel()
                    farewell = nil
                case .replaceConnection:
                    connection?.close(WebSocketClose(4001, "The session continues through another connection."))
                    connection = nil
                case .closeConnection: connection?.close()
                case .forget: onEnd()
                }
            }
        }

        private func startTimer() {
            connection = nil
            farewell?.cancel()
            // Not the last to hold the session: a loop that discards a task may not be able to cancel another, as the end
            // of a session does.
            farewell = loop.scheduleTask(in: Self.patience) { [weak self, number = lifecycle.number] in
                Task { await self?.expire(number) }
            }
        }

        // MARK: The client

        /// Handles a message; errors in it are sent to the client, and the session continues.
        func take(_ message: WebSocketMessage, _ number: Int) async {
            guard number == lifecycle.number else { return }
            audioWatch?.pause()
            defer { audioWatch?.resume() }
            do {
                let request = try LiveFeedRequest(message)
                // Turning off saving includes the last words.
                if case .update(let options) = request, options.isKept == false { stopKeeping() }
                if lifecycle.text != .running {
                    switch request {
                    // There is nothing left to change or to wait for.
                    case .update, .finalize, .finish: return
                    case .hello, .watch, .audio, .clear: throw Self.audioHasEnded
                    }
                }
                switch request {
                case .hello, .watch:
                    throw ServerError.invalid(
                        "The session has already started. Send hello or watch only as the first message.",
                        code: "invalid_value")
                case .audio(let samples, let position): try await append(samples, at: position)
                case .update(let options): try await voice.engine.update(options.settings)
                case .finalize: try await voice.engine.finalize()
                case .clear: try await voice.engine.clear()
                case .finish: finish()
                }
            } catch {
                guard !(error is CancellationError), !lifecycle.hasEnded else { return }
                send(Self.report(ServerError(error)))
            }
        }

        /// A client that returns too late must not believe that it is heard.
        private static let audioHasEnded = ServerError.invalid(
            "The audio of this session has ended. Start a new session for more.", code: "session_finished")

        /// Appends audio that the engine does not have yet; missing audio becomes a gap.
        private func append(_ samples: [Int16], at first: Int) async throws {
            let known = max(0, min(samples.count, position - first))
            let start = first + known
            if known < samples.count {
                let chunk = AudioChunk(position: start, samples: samples[known...].map { Float($0) / 32_768 })
                try await voice.engine.append(chunk)
                // Not before: lost audio is requested again, and the engine drops duplicates.
                position = max(position, chunk.end)
                heard += chunk.samples.count
                audioWatch?.hear()
                record(chunk)
            }
            send(#"{"type": "ack", "position": \#(position)}"#)
        }

        /// Sends a line, unless the client is away or still waits for its `welcome`.
        private func send(_ line: String) { if lifecycle.client == .connected { connection?.send(line) } }

        private func record(_ chunk: AudioChunk) {
            let elapsed = Double((loop.now - began).nanoseconds) / 1e9
            guard let recorder, let kept = timeline.place(chunk, after: elapsed) else { return }
            recorder.append(kept)
        }

        /// Ends the audio; the text follows, then the end of the connection.
        func finish() { perform(lifecycle.finish()) }

        /// Ends the audio; returns once all text is among the events, whether anyone reads them or not.
        func finished() async {
            finish()
            await reader?.value
        }

        /// Ends at once, without the text that is not final.
        func abandon() async {
            await voice.cancel()
            await reader?.value
            end()
            perform(lifecycle.dismiss())
        }

        /// An error as a message to the client.
        ///
        /// - Parameter isFatal: Whether it ends the connection.
        static func report(_ error: ServerError, isFatal: Bool = false) -> String {
            JSONValue.object([
                "type": "error", "message": .string(error.message), "code": error.code.map(JSONValue.string) ?? .null,
                "fatal": .bool(isFatal),
            ]).text
        }

        // MARK: The engine

        private func hear(_ event: TranscriptionEvent) {
            let line = event.jsonLine
            log.add(event, line)
            lastRead = event.sequence
            if event.sequence > sentThrough { send(line) }
        }

        private func end() {
            guard let actions = lifecycle.end() else { return }
            metrics?.add(.audioSeconds, Double(heard) / 16_000, labels: ["kind": "live"])
            ticket.release()
            perform(actions)
        }
    }

    /// The last events of a session, for a client that lost its connection.
    ///
    /// Levels are left out, and beyond a limit the oldest events: a client that missed those gets a snapshot.
    struct LiveFeedLog: Sendable {
        private var lines: [(sequence: Int, line: String)] = []
        /// The last event that was dropped, levels aside.
        private var dropped = -1
        private let limit: Int

        /// - Parameter limit: The maximum number of events.
        init(limit: Int = 4000) { self.limit = limit }

        mutating func add(_ event: TranscriptionEvent, _ line: String) {
            guard event.level == nil else { return }
            lines.append((event.sequence, line))
            guard lines.count > limit else { return }
            dropped = lines[limit / 2 - 1].sequence
            lines.removeFirst(limit / 2)
        }

        /// The lines after an event; nil when some of them are gone.
        func lines(after sequence: Int) -> [String]? {
            guard sequence >= dropped else { return nil }
            return lines.filter { $0.sequence > sequence }.map(\.line)
        }
    }
#endif
