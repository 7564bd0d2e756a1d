public import StenoCore

extension DecodingOptions: FamilyOptions {
    /// The request with these options; other model families see only its neutral fields.
    public var request: TranscriptionRequest {
        TranscriptionRequest(
            language: language, task: task, wordTimestamps: wordTimestamps, vocabulary: hotwords,
            prompt: initialPrompt, clips: clips, batchSize: batchSize
        ).with { $0.familyOptions = self }
    }

    /// The options with the times of words.
    package func withWordTimestamps() -> DecodingOptions {
        var options = self
        options.wordTimestamps = true
        return options
    }

    /// The options of a request: Whisper's own if it has any, otherwise the defaults combined with its neutral fields.
    package init(_ request: TranscriptionRequest) {
        if let own = request.familyOptions as? DecodingOptions {
            self = own
        } else {
            self.init()
            wordTimestamps = request.wordTimestamps
            hotwords = request.vocabulary
            initialPrompt = request.prompt
            clips = request.clips
            batchSize = request.batchSize
        }
        // The neutral fields take precedence, so that code which forwards a request can change them.
        (language, task) = (request.language, request.task)
    }
}
