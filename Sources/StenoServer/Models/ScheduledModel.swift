#if Server
    import StenoCore

    /// A model whose decodings compute in turn with all other work of the server.
    final class ScheduledModel: SpeechModel {
        private let model: any SpeechModel
        private let turns: ComputeTurns

        init(_ model: any SpeechModel, turns: ComputeTurns) {
            self.model = model
            self.turns = turns
        }

        var information: SpeechModelInformation { model.information }

        func check(_ request: TranscriptionRequest) throws { try model.check(request) }

        func transcribe(
            _ recordings: [AudioOpener], _ request: TranscriptionRequest, isCancelled: @escaping () -> Bool,
            onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
            onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
        ) throws {
            try turns.file { turn in
                try model.transcribe(
                    recordings, request, isCancelled: Self.waiting(turn, isCancelled), onEvent: onEvent, onEnd: onEnd)
            }
        }

        func detectLanguage(
            _ source: any SampleSource, _ request: TranscriptionRequest, isCancelled: @escaping () -> Bool
        ) throws -> LanguageDetection {
            try turns.file { turn in
                try model.detectLanguage(source, request, isCancelled: Self.waiting(turn, isCancelled))
            }
        }

        func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
            try model.makeLiveDecoder(options).wrapped { [turns] isCancelled, decode in
                try turns.live(isCancelled: isCancelled, decode)
            }
        }

        /// What the model calls at every token and layer: the place to let others compute.
        private static func waiting(_ turn: FileTurn, _ isCancelled: @escaping () -> Bool) -> () -> Bool {
            {
                if isCancelled() { return true }
                turn.wait(isCancelled: isCancelled)
                return isCancelled()
            }
        }
    }
#endif
