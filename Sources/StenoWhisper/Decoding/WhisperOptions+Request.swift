public import StenoCore

extension WhisperOptions: FamilyOptions {
    /// The request with these options; other model families see only its neutral fields.
    public var request: TranscriptionRequest {
        TranscriptionRequest(
            language: language, task: task, wordTimestamps: wordTimestamps, vocabulary: [String](hotwords: hotwords),
            prompt: initialPrompt, clips: clips, batchSize: batchSize
        ).with { $0.familyOptions = self }
    }

    /// The options of a request: Whisper's own if it has any, otherwise the defaults, combined with its neutral fields.
    ///
    /// ``request`` sets all neutral fields, so what they say was set there or is later than Whisper's own options.
    package init(_ request: TranscriptionRequest) {
        self = request.familyOptions as? WhisperOptions ?? WhisperOptions()
        language = request.language
        task = request.task
        wordTimestamps = request.wordTimestamps
        hotwords = request.vocabulary.hotwords
        clips = request.clips
        batchSize = request.batchSize
        // A prompt that was changed replaces one given as tokens, which no neutral field has.
        if request.prompt != initialPrompt { initialPromptTokens = nil }
        initialPrompt = request.prompt
    }
}
