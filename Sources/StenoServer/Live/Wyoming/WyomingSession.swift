#if Server
    import Logging
    import NIOCore
    import Steno
    import StenoCore

    /// A session with one Wyoming client: one recording after another, each with its transcript.
    actor WyomingSession {
        private let context: ServerContext
        private let address: String?
        private let loop: any EventLoop
        private let send: @Sendable (WyomingEvent) -> Void
        private let hangUp: @Sendable () -> Void
        /// The settings for the next recording.
        private var options = LiveOptions()
        private var model: String?
        private var recording: Recording?
        /// Whether a recording is about to begin: its model may have to be loaded first.
        private var isBeginning = false
        private var isLast = false
        /// Whether further messages are ignored.
        private var isFinishing = false

        private final class Recording {
            let voice: LiveVoice
            let ticket: AdmissionTicket
            var watch: AudioWatch?
            /// The text, once the engine has ended.
            var reader: Task<String, Never>?
            /// Bytes that do not fill a frame yet.
            var rest: [UInt8] = []

            init(_ voice: LiveVoice, _ ticket: AdmissionTicket) { (self.voice, self.ticket) = (voice, ticket) }
        }

        /// - Parameters:
        ///   - address: The address of a client on another machine.
        ///   - loop: The clock.
        ///   - hangUp: Ends the connection after sending pending data.
        init(
            _ context: ServerContext, address: String? = nil, loop: any EventLoop,
            send: @escaping @Sendable (WyomingEvent) -> Void, hangUp: @escaping @Sendable () -> Void
        ) { (self.context, self.address, self.loop, self.send, self.hangUp) = (context, address, loop, send, hangUp) }

        /// Handles a message; those for other services are ignored.
        func take(_ event: WyomingEvent) async {
            guard !isFinishing else { return }
            do {
                switch event.type {
                case "describe": try await describe()
                case "ping": send(WyomingEvent("pong", event.data.filter { $0.key == "text" }))
                case "transcribe": try choose(event.data)
                case "audio-start": try await begin()
                case "audio-chunk": try await hear(event)
                case "audio-stop": try await finish()
                default: break
                }
            } catch { await fail(error) }
        }

        /// Whether there is a recording that has not ended.
        var isRecording: Bool { recording != nil || isBeginning }

        /// Ends the recording at once, without its text.
        func cancel() async {
            let ended = recording
            recording = nil
            await ended?.voice.cancel()
            ended?.ticket.release()
        }

        /// Ends the session with the current recording, because the server is shutting down.
        ///
        /// - Returns: Whether there is one; otherwise the session ends after the data that the client has sent
        ///   (``endInput()``).
        func shutDown() -> Bool {
            isLast = true
            return isRecording
        }

        /// Handles the end of the client's data: during a shutdown, transcribes the audio so far and ends.
        func endInput() async {
            guard isLast, !isFinishing else { return }
            isFinishing = true
            do { try await finish() } catch { await fail(error) }
            hangUp()
        }

        private func describe() async throws {
            let names = context.models.names
            var models: [(name: String, languages: [String])] = []
            for name in names {
                do {
                    models.append((name, try await context.models.languages(name)))
                } catch  where name != names[0] && !(error is CancellationError) {
                    // The others can still be used.
                    context.logger.warning("Wyoming: the model \(name) is not offered")
                }
            }
            send(.info(models))
        }

        private func choose(_ data: [String: JSONValue]) throws {
            model = data["name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
            _ = try context.models.resolve(model)
            let words = (data["transcript_names"]?.array ?? []) + (data["transcript_terms"]?.array ?? [])
            let vocabulary = words.prefix(200).compactMap { $0.string.map { String($0.prefix(200)) } }
            // Home Assistant's languages are locales such as en-US.
            let language = data["language"]?.string.flatMap { $0.split(whereSeparator: { "-_".contains($0) }).first }
            options = LiveOptions(language: language.map(String.init))
            options.vocabulary = vocabulary.filter { !$0.isEmpty }
        }

        private func begin() async throws {
            isBeginning = true
            defer { isBeginning = false }
            await cancel()
            let ticket = try context.admission.admitLive(from: address)
            // Home Assistant sends the names of all its devices.
            let voice = try await LiveVoice(
                context.models, model: model, options: options, offset: 0, ignoringHints: true)
            let recording = Recording(voice, ticket)
            recording.reader = Task { [events = voice.events, send] in await Self.read(events, send) }
            self.recording = recording
            try await voice.start()
            // From here on the session waits for the client.
            let id = ObjectIdentifier(recording)
            recording.watch = AudioWatch(context.timeouts.audio, loop: loop) { [weak self, id] in
                Task { await self?.giveUp(id) }
            }
        }

        private func hear(_ event: WyomingEvent) async throws {
            if recording == nil { try await begin() }
            guard let recording else { return }
            let format = try PCMFormat(wyoming: event.data)
            let bytes = recording.rest + event.payload
            let whole = bytes.count / format.bytesPerFrame * format.bytesPerFrame
            recording.rest = Array(bytes[whole...])
            guard whole > 0 else { return }
            let watch = recording.watch
            watch?.hear()
            watch?.pause()
            defer { watch?.resume() }
            for buffer in try format.seconds(of: bytes[..<whole]) { try await recording.voice.append(buffer) }
        }

        private func finish() async throws {
            guard let recording else {
                // A stop without audio: nothing was said.
                if !isFinishing { Self.end("", isStarted: false, send) }
                return
            }
            recording.watch = nil
            try await recording.voice.finish()
            let text = await recording.reader?.value ?? ""
            context.metrics.add(.audioSeconds, recording.voice.delivered, labels: ["kind": "live"])
            recording.ticket.release()
            self.recording = nil
            Self.end(text, isStarted: !text.isEmpty, send)
            guard isLast, !isFinishing else { return }
            isFinishing = true
            hangUp()
        }

        /// Sends final text as it arrives, and returns all of it.
        private static func read(
            _ events: TranscriptionEvents, _ send: @Sendable (WyomingEvent) -> Void
        ) async -> String {
            var text = ""
            for await event in events where [.final, .utteranceEnd].contains(event.kind) && !event.text.isEmpty {
                if text.isEmpty { send(WyomingEvent("transcript-start")) }
                let chunk = text.isEmpty ? String(event.text.trimmingPrefix(" ")) : event.text
                text += chunk
                send(WyomingEvent("transcript-chunk", ["text": .string(chunk)]))
            }
            return text
        }

        private static func end(_ text: String, isStarted: Bool, _ send: (WyomingEvent) -> Void) {
            if !isStarted { send(WyomingEvent("transcript-start")) }
            // For clients without streaming, which wait for this message and ignore the others.
            send(WyomingEvent("transcript", ["text": .string(text)]))
            send(WyomingEvent("transcript-stop"))
        }

        /// Ends a recording that receives no audio.
        private func giveUp(_ silent: ObjectIdentifier) async {
            // A recording that is being finished is no longer watched.
            guard let recording, ObjectIdentifier(recording) == silent, recording.watch != nil else { return }
            await fail(
                ServerError(
                    status: 408, message: "No audio arrived for a long time. Start speaking again.",
                    type: "invalid_request_error", code: "timeout"))
        }

        private func fail(_ error: any Error) async {
            guard !(error is CancellationError) else { return }
            let error = ServerError(error)
            if error.status == 503 { context.metrics.add(.refused, labels: ["kind": "live"]) }
            await cancel()
            send(.error(error))
            hangUp()
        }
    }

    extension PCMFormat {
        /// Splits whole frames into buffers of at most a second.
        ///
        /// At the lowest rate one message holds hours of audio, which take 64 times its size once resampled, so the
        /// session waits for the engine between buffers.
        func seconds(of bytes: ArraySlice<UInt8>) throws -> [PCMBuffer] {
            let length = sampleRate * bytesPerFrame
            return try stride(from: bytes.startIndex, to: bytes.endIndex, by: length).map { start in
                try PCMBuffer(bytes: Array(bytes[start..<min(bytes.endIndex, start + length)]), format: self)
            }
        }

        /// The format of a chunk of audio.
        fileprivate init(wyoming data: [String: JSONValue]) throws {
            let encodings: [Int: Encoding] = [1: .uint8, 2: .int16, 3: .int24, 4: .int32]
            guard let encoding = encodings[data["width"]?.integer ?? 2] else {
                throw ServerError.invalid("The width of audio must be from 1 to 4 bytes.", parameter: "width")
            }
            try self.init(
                encoding, sampleRate: data["rate"]?.integer ?? 16_000, channels: data["channels"]?.integer ?? 1)
        }
    }
#endif
