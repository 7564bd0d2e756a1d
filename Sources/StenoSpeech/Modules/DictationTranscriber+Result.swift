extension DictationTranscriber {
    /// A piece of the transcript, as for ``SpeechTranscriber``.
    public typealias Result = SpeechTranscriber.Result
}
