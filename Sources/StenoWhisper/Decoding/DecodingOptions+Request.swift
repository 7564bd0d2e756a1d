public import StenoCore

extension DecodingOptions: FamilyOptions {
    /// The request with these options: other families see its neutral fields only.
    public var request: TranscriptionRequest {
        TranscriptionRequest(
            language: language, task: task, wordTimestamps: wordTimestamps, vocabulary: hotwords,
            prompt: initialPrompt, clips: clips, batchSize: batchSize, familyOptions: self)
    }

    /// The options of a request: Whisper's own where it has them, else the defaults with its neutral fields.
    public init(_ request: TranscriptionRequest) {
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
        // What is asked for of every family goes by the request, so that whoever passes it on may change it.
        (language, task) = (request.language, request.task)
    }
}
