import Testing

@testable import Steno
@testable import StenoCore

/// Expects what holds for every session: final text only grows, no text is only punctuation except a mark that joins the
/// last word of its utterance, and neither positions nor times go back.
func expectOrder(
    of events: [TranscriptionEvent], _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
    func expect(_ holds: Bool) { #expect(holds, comment, sourceLocation: sourceLocation) }
    var position = 0.0, end = 0.0, nextID = 0
    var utterance: Int?
    for event in events {
        expect(event.position >= position)
        position = event.position
        switch event.kind {
        case .final:
            expect(!Word.key(event.text).isEmpty)
            utterance = event.utterance
            for segment in event.segments {
                expect(segment.isFinal && segment.id == nextID)
                nextID += 1
                expect(segment.words.map(\.rawText).joined() == segment.text)
                for word in segment.words {
                    expect(end <= word.start && word.start <= word.end)
                    end = word.end
                }
            }
        case .utteranceEnd where !event.text.isEmpty:
            expect(Word.key(event.text).isEmpty && event.utterance == utterance)
        case .partial:
            expect(event.text.isEmpty || !Word.key(event.text).isEmpty)
            for segment in event.segments { expect(!segment.isFinal && segment.id == nextID) }
        default: break
        }
    }
}
