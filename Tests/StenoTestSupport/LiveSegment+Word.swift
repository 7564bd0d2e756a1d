package import Steno
import StenoCore

/// A live segment of one word that lasts a second; unless given, its start is its id.
package func liveSegment(
    _ id: Int, _ text: String, _ start: Double? = nil, isFinal: Bool = true, utterance: Int = 0
) -> LiveSegment {
    let start = start ?? Double(id)
    return LiveSegment(
        id: id, start: start, end: start + 1, text: text, isFinal: isFinal,
        words: [Word(rawText: text, start: start, end: start + 1, probability: 1)], utterance: utterance)
}
