extension DictationTranscriber {
    /// A piece of the transcript, as of ``SpeechTranscriber``.
    public typealias Result = SpeechTranscriber.Result
}
