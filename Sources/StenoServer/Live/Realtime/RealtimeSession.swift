#if Server
    import Logging
    import NIOCore
    import Steno
    import StenoCore

    /// One realtime session: the protocol, a WebSocket connection and an engine.
    ///
    /// The engine's memory is allocated with the first audio. Everything ends with the connection; a server that shuts
    /// down gracefully first lets the session deliver its text.
    actor RealtimeSession {
        private let connection: WebSocketConnection
        private let context: ServerContext
        private var proto: RealtimeProtocol
        private var voice: LiveVoice?
        private var reader: Task<Void, Never>?
        /// Items whose text is complete once the event with that number has been read.
        private var marks: [(sequence: Int, item: String)] = []
        private var lastRead = -1
        /// Why there is no engine; audio is ignored until the configuration changes.
        private var failure: ServerError?
        /// Whether the session ends after the message that is being handled.
        private var isFinishing = false
        private var farewell = WebSocketClose.goingAway
        private var watch: AudioWatch?
        private var isPerforming = false

        init(_ connection: WebSocketConnection, _ context: ServerContext, _ proto: RealtimeProtocol) {
            (self.connection, self.context, self.proto) = (connection, context, proto)
        }

        /// Runs until the connection or the server ends.
        func run() async {
            let work = Task { await self.converse() }
            connection.onClose { work.cancel() }
            connection.onShutdown { [weak self] in Task { await self?.shutDown() } }
            watch = AudioWatch(context.timeouts.audio, loop: connection.loop) { [weak self] in
                Task { await self?.shutDown(Self.silent) }
            }
            await work.childValue
            await voice?.cancel()
            await reader?.value
            context.metrics.add(.audioSeconds, proto.received, labels: ["kind": "live"])
        }

        private func converse() async {
            await perform(proto.begin())
            do {
                for try await message in connection.messages {
                    if Task.isCancelled { return }
                    guard case .text(let text) = message else {
                        return connection.close(WebSocketClose(1003, "Events are text messages of JSON."))
                    }
                    guard !isFinishing else { continue }
                    isPerforming = true
                    watch?.pause()
                    await perform(proto.receive(text))
                    watch?.resume()
                    isPerforming = false
                    if isFinishing { await sayFarewell() }
                }
            } catch {
                // The client left without a close frame.
            }
        }

        // MARK: Actions of the protocol

        private func perform(_ actions: [RealtimeAction]) async {
            for action in actions {
                switch action {
                case .send(let event): connection.send(event.text)
                case .audio(let samples, let rate): await append(samples, rate)
                case .finalize(let item, let time): await finalize(item, time)
                case .forget(let time):
                    if let voice, voice.isStarted { try? voice.engine.forget(before: time - voice.offset) }
                case .configure(let old, let new): await configure(old, new)
                case .close(let reason): connection.close(reason)
                }
            }
        }

        private func append(_ samples: [Int16], _ rate: Int) async {
            watch?.hear()
            guard failure == nil else { return }
            do {
                let voice = try await startedVoice(at: proto.received - Double(samples.count) / Double(rate))
                try await voice.append(samples, rate: rate)
            } catch { await fail(error) }
        }

        /// The running engine; a new one has the audio from this time on.
        private func startedVoice(at time: Double) async throws -> LiveVoice {
            let voice = try await preparedVoice(at: time)
            guard !voice.isStarted else { return voice }
            try await voice.start()
            lastRead = -1
            reader = Task { [events = voice.events, start = SessionStart(time: voice.offset)] in
                for await event in events { await self.hear(event.moved(to: start)) }
            }
            return voice
        }

        private func preparedVoice(at time: Double) async throws -> LiveVoice {
            if let voice { return voice }
            let voice = try await makeVoice(proto.configuration, at: time)
            self.voice = voice
            return voice
        }

        private func finalize(_ item: String, _ time: Double) async {
            if let failure { return await perform(proto.engineFailed(failure)) }
            guard let voice, voice.isStarted else { return await perform(proto.finalized(item)) }
            // The last few samples may still be in the resampler; they come with the next audio.
            let through = max(0, min(time - voice.offset, voice.delivered))
            Task { [engine = voice.engine] in
                // An engine that ends completes its items itself.
                guard let sequence = try? await engine.finalized(through: through) else { return }
                await self.mark(item, sequence)
            }
        }

        private func mark(_ item: String, _ sequence: Int) async {
            marks.append((sequence, item))
            await completeItems()
        }

        private func completeItems() async {
            let done = marks.filter { $0.sequence <= lastRead }
            marks.removeAll { $0.sequence <= lastRead }
            for mark in done { await perform(proto.finalized(mark.item)) }
        }

        // MARK: Events of the engine

        /// Handles an event, whose times are those of the session.
        private func hear(_ event: TranscriptionEvent) async {
            if let isSpeaking = event.isSpeaking, let time = event.speechTime {
                await perform(
                    isSpeaking ? proto.speechBegan(at: time) : proto.speechEnded(at: time, noticed: event.position))
            }
            if event.kind == .final { for segment in event.segments { await perform(proto.heard(segment)) } }
            if event.kind == .utteranceEnd { await perform(proto.heard(mark: event.text)) }
            if let failure = event.failure, failure.isFatal {
                context.logger.error("A live session failed: \(failure.code ?? "unknown")")
                await perform(proto.engineFailed(.failed))
                connection.close(WebSocketClose(1011, "The engine failed."))
            }
            lastRead = event.sequence
            await completeItems()
        }

        private func fail(_ error: any Error) async {
            guard !(error is CancellationError), !Task.isCancelled else { return }
            let error = ServerError(error)
            failure = error
            await retire()
            await perform(proto.engineFailed(error))
        }

        // MARK: Changes and the end

        private func configure(_ old: RealtimeConfiguration, _ new: RealtimeConfiguration) async {
            do {
                if let voice, voice.isStarted, !old.needsNewEngine(for: new) {
                    if old.language != new.language || old.keywords != new.keywords {
                        try await voice.update(SpeechSettings(language: new.language, vocabulary: new.keywords))
                    }
                } else {
                    // The new engine first, because it may be impossible.
                    let next = try await successor(new)
                    await retire()
                    voice = next
                }
                failure = nil
                await perform(proto.configured())
            } catch {
                guard !Task.isCancelled else { return }
                await perform(proto.refused(ServerError(error)))
            }
        }

        private func successor(_ new: RealtimeConfiguration) async throws -> LiveVoice {
            do {
                return try await makeVoice(new, at: proto.received)
            } catch let error as ServerError where error.code == "server_busy" && voice != nil {
                // The session's own model may take up the memory, and waiting would never free it. If it does not, the
                // next audio uses the former model again.
                await retire()
                return try await makeVoice(new, at: proto.received)
            }
        }

        private func makeVoice(_ configuration: RealtimeConfiguration, at time: Double) async throws -> LiveVoice {
            try await LiveVoice(
                context.models, model: configuration.model, options: configuration.options, offset: time,
                ignoringHints: true)
        }

        /// Lets the engine finish; its turns get their text.
        private func retire() async {
            guard let old = voice else { return }
            voice = nil
            do { try await old.finish() } catch { await old.cancel() }
            await reader?.value
            reader = nil
            marks = []
            await perform(proto.finished())
        }

        /// Commits and transcribes the audio so far, then ends the connection.
        ///
        /// A message that is being handled is completed first.
        func shutDown(_ reason: WebSocketClose = .goingAway) async {
            guard !isFinishing else { return }
            (isFinishing, farewell) = (true, reason)
            if !isPerforming { await sayFarewell() }
        }

        private static let silent = WebSocketClose(1008, "No audio came for a long time: connect again to speak.")

        private func sayFarewell() async {
            await perform(proto.finish())
            await retire()
            connection.close(farewell)
        }
    }
#endif
