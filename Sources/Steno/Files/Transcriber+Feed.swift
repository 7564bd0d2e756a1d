package import StenoCore

extension Transcriber {
    /// Transcribes recordings as they arrive, until the feed ends; the whole feed counts as one call.
    ///
    /// - Parameters:
    ///   - lanes: The maximum number of recordings decoded at once; it does not change the transcripts.
    ///   - options: The options that the memory is allocated for; each recording has its own.
    ///   - onEnd: Receives each result, on the thread that decodes: while it blocks, nothing is decoded.
    /// - Throws: `StenoError` for options that the model cannot run, what the feed throws, `CancellationError`.
    package func transcribe(
        _ feed: any RecordingFeed, lanes: Int, options: TranscriptionOptions,
        onEnd: @escaping @Sendable (FedResult) -> Void
    ) async throws {
        try await call("steno.decode") { [model, options] flag in
            flag.whenCancelled { feed.stop() }
            try options.speakers?.validate()
            let labelled = SpeakerFeed(feed)
            // Files opened on this thread are interrupted with this work.
            try CancellationFlag.$current.withValue(flag) {
                try model.transcribe(
                    labelled, lanes: lanes, options.withWordsForSpeakers, isCancelled: { flag.isCancelled },
                    onEnd: { onEnd(labelled.label($0)) })
            }
        }
    }
}
