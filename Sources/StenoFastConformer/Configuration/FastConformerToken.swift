/// A token that a FastConformer model heard.
///
/// Times are encoder frames of ``FastConformerConfiguration/frameSeconds``, from the first sample of the utterance.
package struct FastConformerToken: Sendable, Hashable {
    package var id: Int
    /// The frame in which the token was emitted.
    package var frame: Int
    /// The duration in frames: TDT's own, which may be 0; 1 for RNNT; for CTC the frames with this token in a row.
    package var frames: Int
    /// The natural logarithm of the token's probability among all tokens and blank.
    package var logProbability: Float

    package init(id: Int, frame: Int, frames: Int, logProbability: Float) {
        self.id = id
        self.frame = frame
        self.frames = frames
        self.logProbability = logProbability
    }
}
