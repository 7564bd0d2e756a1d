#if Server
    import Steno
    import StenoCore

    /// An engine with its model, which takes the client's audio at any sample rate.
    ///
    /// It belongs to one session, which feeds it from one task.
    final class LiveVoice {
        let engine: ModelEngine
        /// All events, from the first.
        let events: TranscriptionEvents
        /// The seconds of the session's audio that came before this engine.
        let offset: Double
        private(set) var isStarted = false

        private let models: ModelHost
        private let lease: ModelLease
        private let ignoresHints: Bool
        private let converter = AudioStreamConverter()

        /// Loads the model if necessary, and checks the options.
        ///
        /// - Parameter ignoringHints: Whether a prompt and words to expect are ignored if the model cannot take them,
        ///   instead of being errors.
        /// - Throws: ``ServerError``, `StenoError`, `CancellationError`.
        init(
            _ models: ModelHost, model: String?, options: LiveOptions, offset: Double, ignoringHints: Bool = false,
            isolation: isolated (any Actor)? = #isolation
        ) async throws {
            self.models = models
            ignoresHints = ignoringHints
            lease = try await models.lease(model)
            let options = ignoringHints ? options.fitting(lease.transcriber.information) : options
            engine = try ModelEngine(model: lease.transcriber.model, options: options, pace: models.livePace)
            events = engine.events(buffering: .unbounded)
            self.offset = offset
        }

        /// Starts the engine, which allocates its memory, unless it was started.
        func start(isolation: isolated (any Actor)? = #isolation) async throws {
            guard !isStarted else { return }
            try await engine.start()
            isStarted = true
        }

        /// The seconds of audio that the engine has received.
        var delivered: Double { Double(converter.position) / 16_000 }

        /// Appends any amount of audio of one channel; waits as ``append(_:isolation:)`` does.
        func append(_ samples: [Int16], rate: Int, isolation: isolated (any Actor)? = #isolation) async throws {
            // Second by second, because minutes at a low rate take many times their memory once resampled.
            for start in stride(from: 0, to: samples.count, by: rate) {
                let second = Array(samples[start..<min(samples.count, start + rate)])
                try await append(PCMBuffer(second, sampleRate: rate))
            }
        }

        /// Appends audio; waits while much of it is still to be transcribed.
        func append(_ buffer: PCMBuffer, isolation: isolated (any Actor)? = #isolation) async throws {
            for chunk in try converter.push(buffer) { try await engine.append(chunk) }
        }

        /// Changes the settings for the audio appended from now on.
        func update(_ settings: SpeechSettings, isolation: isolated (any Actor)? = #isolation) async throws {
            try await engine.update(ignoresHints ? settings.fitting(lease.transcriber.information) : settings)
        }

        /// Ends the audio; returns once all text is among the events and the model can be unloaded.
        func finish(isolation: isolated (any Actor)? = #isolation) async throws {
            guard isStarted else { return await cancel() }
            for chunk in converter.finish() { try await engine.append(chunk) }
            try await engine.finish()
            await models.close(lease)
        }

        /// Ends without the rest of the text; once it returns, the model can be unloaded.
        func cancel(isolation: isolated (any Actor)? = #isolation) async {
            await engine.cancel()
            await models.close(lease)
        }
    }

    extension ModelEngine {
        /// Makes the text before a time final, and returns the number of the last event so far.
        ///
        /// A reader that has seen the event with this number has all of that text.
        func finalized(through seconds: Double) async throws -> Int {
            try await finalize(through: seconds)
            // A new reader gets a snapshot of everything so far, with the number of the last event in it.
            var reader = events.makeAsyncIterator()
            return await reader.next()?.sequence ?? .max
        }
    }
#endif
