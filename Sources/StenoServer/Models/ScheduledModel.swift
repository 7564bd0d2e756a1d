#if Server
    import StenoCore

    /// A model whose decodings take turns with all other work of the server.
    final class ScheduledModel: SpeechModel {
        private let model: any SpeechModel
        private let turns: ComputeTurns

        init(_ model: any SpeechModel, turns: ComputeTurns) { (self.model, self.turns) = (model, turns) }

        var information: SpeechModelInformation { model.information }

        func check(_ options: TranscriptionOptions) throws { try model.check(options) }

        func transcribe(
            _ feed: any RecordingFeed, lanes: Int, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
            onEvent: @escaping (Int, RecordingEvent) -> Void
        ) throws {
            try turns.file { turn in
                try model.transcribe(
                    ScheduledFeed(feed, turn), lanes: lanes, options, isCancelled: Self.waiting(turn, isCancelled),
                    onEvent: onEvent)
            }
        }

        func detectLanguage(
            _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
        ) throws -> LanguageDetection {
            try turns.file { turn in
                try model.detectLanguage(source, options, isCancelled: Self.waiting(turn, isCancelled))
            }
        }

        func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
            try model.makeLiveDecoder(options).wrapped { [turns] isCancelled, decode in
                try turns.live(isCancelled: isCancelled, decode)
            }
        }

        /// Runs as live work, ahead of all files, whose computing would distort the result.
        func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double {
            try turns.live(isCancelled: isCancelled) { try model.measureRealTimeFactor(isCancelled: isCancelled) }
        }

        /// A check for the model to call at every token and layer, which lets others compute.
        private static func waiting(_ turn: FileTurn, _ isCancelled: @escaping () -> Bool) -> () -> Bool {
            {
                if isCancelled() { return true }
                turn.wait(isCancelled: isCancelled)
                return isCancelled()
            }
        }
    }

    /// A feed of recordings that lets others compute while it waits for the next one.
    private final class ScheduledFeed: RecordingFeed, @unchecked Sendable {
        // Sendable: the turn belongs to the model's thread, which is the only one that asks for recordings.
        private let feed: any RecordingFeed
        private let turn: FileTurn

        init(_ feed: any RecordingFeed, _ turn: FileTurn) { (self.feed, self.turn) = (feed, turn) }

        func next(waits: Bool) throws -> FedRecording? {
            // The recordings of a list are there, so that a list keeps its turn.
            if let next = try feed.next(waits: false) { return next }
            return waits ? try turn.idle { try feed.next(waits: true) } : nil
        }

        func stop() { feed.stop() }
    }
#endif
