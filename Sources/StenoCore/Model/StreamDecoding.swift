/// Transcribes utterances while they are heard, each sample once: the interface of streaming models.
///
/// A decoder has memory for one utterance at a time and belongs to one task at a time; any number of decoders can share
/// one model. It owns its caches and its look-ahead: a word is final once nothing that follows can change it, and the
/// silence in a pause brings out the words before it.
package protocol StreamDecoding: AnyObject {
    /// Called at every step of the model, on the decoding thread; returning true ends the work with a ``StenoError`` of
    /// code `cancelled`.
    var isCancelled: () -> Bool { get set }

    /// The seconds of audio that are worth a call of ``hear(_:isLast:)``.
    var step: Double { get }

    /// Begins an utterance, and forgets the one before it.
    ///
    /// - Parameter request: Of it a model uses the language, the task, the vocabulary and the context, where it has them.
    /// - Throws: ``StenoError``: `unknownLanguage`.
    func begin(_ request: UtteranceRequest) throws

    /// Hears the next samples of the utterance.
    ///
    /// - Parameters:
    ///   - samples: 16 kHz, mono, from −1 to 1; any number of them.
    ///   - isLast: Whether the utterance ends with them: all of its words are final then.
    /// - Returns: The words after those that were final before, with times from the utterance's first sample;
    ///   ``UtteranceHypothesis/finalCount`` of them are final.
    /// - Throws: ``StenoError``: `cancelled`, `modelDamaged`.
    func hear(_ samples: [Float], isLast: Bool) throws -> UtteranceHypothesis
}
