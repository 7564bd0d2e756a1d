import StenoCore

/// Finds who speaks when in a recording that is read once, from start to end.
package protocol RecordingDiarizer: AnyObject {
    /// Takes the next samples: 16 kHz, mono, from −1 to 1.
    func append(_ samples: UnsafeBufferPointer<Float>)

    /// Ends the recording and finds the voices.
    ///
    /// - Parameter counts: The lowest and the highest number of voices; nil finds it.
    func finish(counts: ClosedRange<Int>?) -> Diarization
}
