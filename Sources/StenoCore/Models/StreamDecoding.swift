/// The interface of streaming models, which transcribe an utterance as it arrives and process each sample once.
///
/// A decoder has memory for one utterance at a time and belongs to one task at a time; any number of decoders can share
/// one model. It owns its caches and its look-ahead: a word is final once no later audio can change it, and the silence
/// in a pause completes the words before it.
package protocol StreamDecoding: AnyObject {
    /// Called at every step of the model, on the decoding thread; returning true ends the work with a ``StenoError`` of
    /// code `cancelled`.
    var isCancelled: () -> Bool { get set }

    /// The amount of audio that is worth a call to ``hear(_:isLast:)``, in seconds.
    var step: Double { get }

    /// Begins an utterance and discards the previous one.
    ///
    /// - Parameter request: A model uses its language, task, vocabulary and context, if it supports them, and ignores
    ///   the rest.
    /// - Throws: ``StenoError``: `unknownLanguage`.
    func begin(_ request: UtteranceRequest) throws

    /// Hears the next samples of the utterance.
    ///
    /// - Parameters:
    ///   - samples: 16 kHz, mono, from −1 to 1; any number of them.
    ///   - isLast: Whether the utterance ends with these samples; all of its words are then final.
    /// - Returns: The words after those that were already final, with times from the utterance's first sample; the
    ///   first ``UtteranceHypothesis/finalCount`` of them are final.
    /// - Throws: ``StenoError``: `cancelled`, `modelDamaged`.
    func hear(_ samples: [Float], isLast: Bool) throws -> UtteranceHypothesis
}
