/// Receives the text of a ``StreamingRecognizer`` as it becomes final.
///
/// The recognizer keeps no strong reference to its delegate. The methods are called in order, on any thread, and must
/// return soon.
public protocol StreamingRecognizerDelegate: AnyObject {
    /// New text, which never changes and comes once.
    func recognizer(_ recognizer: StreamingRecognizer, didReceiveSegments segments: [TranscriptionSegment])

    /// The stream has ended: with nil after `stop()`, otherwise with what ended it.
    ///
    /// Audio that was added when no stream was running is reported here too, as
    /// ``RecognitionError/streamingNotActive``.
    func recognizer(_ recognizer: StreamingRecognizer, didFinishWithError error: (any Error)?)

    /// Audio that was not transcribed, in seconds, as ``OverflowPolicy/skipQuietest(whenBehind:)`` allows; implementing
    /// it is optional.
    func recognizer(_ recognizer: StreamingRecognizer, didSkipAudio seconds: Range<Double>)
}

extension StreamingRecognizerDelegate {
    /// Does nothing.
    public func recognizer(_ recognizer: StreamingRecognizer, didSkipAudio seconds: Range<Double>) {}
}
