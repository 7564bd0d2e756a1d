/// A text as the decoder chose it.
package struct MoonshineDecoding: Sendable, Hashable {
    /// A token of the text.
    package struct Token: Sendable, Hashable {
        package var id: Int
        /// The natural logarithm of its probability.
        package var logProbability: Float
        /// How far its logit is above that of the next best token.
        package var margin: Float

        package init(id: Int, logProbability: Float, margin: Float) {
            (self.id, self.logProbability, self.margin) = (id, logProbability, margin)
        }
    }

    /// The tokens, without the prefix and without those that start and end the text.
    package var tokens: [Token] = []
    /// The log probability of the end of text; nil if the limit or the model's context ended the text.
    package var endLogProbability: Float?
    /// The number of the draft's tokens that were confirmed.
    package var acceptedDraft = 0

    package init() {}
}
