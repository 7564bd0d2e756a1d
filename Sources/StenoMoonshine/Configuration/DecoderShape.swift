package import StenoCompute
import StenoCore

/// The dimensions and tokens of a decoder, the same for all of Moonshine's generations.
package struct DecoderShape: Sendable, Hashable {
    /// The number of channels.
    package var width: Int
    /// The number of channels of the layers' hidden layer.
    package var hiddenWidth: Int
    package var layers: Int
    package var heads: AttentionHeads
    /// The number of channels of each head that are rotated by the token's position.
    package var rotatedChannels: Int
    /// The base of the rotation's frequencies.
    package var rotaryBase: Float
    package var vocabularySize: Int
    /// The maximum number of tokens of a text, its start included.
    package var textContext: Int
    /// The token before every text.
    package var startToken: Int
    /// The token after every text.
    package var endToken: Int
    /// Whether the token embedding is also the output projection.
    package var tiesEmbedding: Bool

    /// The tokens before a text: its start, and a prefix.
    ///
    /// - Throws: `invalidOption` if no token fits after them, or if the model does not know them.
    func forced(_ prefix: [Int]) throws -> [Int] {
        guard prefix.count < textContext, prefix.allSatisfy({ (0..<vocabularySize).contains($0) }) else {
            throw StenoError(
                .invalidOption,
                "A text of \(prefix.count) tokens cannot be continued: the model knows \(vocabularySize) tokens, and "
                    + "texts of \(textContext). Use a shorter one.")
        }
        return [startToken] + prefix
    }
}
