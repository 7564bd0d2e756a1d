import Testing

@testable import Steno

/// Expects what holds for every session: final text only grows, and neither positions nor times go back.
func expectOrder(
    of events: [TranscriptionEvent], _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
    func expect(_ holds: Bool) { #expect(holds, comment, sourceLocation: sourceLocation) }
    var position = 0.0, end = 0.0, nextID = 0
    for event in events {
        expect(event.position >= position)
        position = event.position
        switch event.kind {
        case .final:
            for segment in event.segments {
                expect(segment.isFinal && segment.id == nextID)
                nextID += 1
                expect(segment.words.map(\.rawText).joined() == segment.text)
                for word in segment.words {
                    expect(end <= word.start && word.start <= word.end)
                    end = word.end
                }
            }
        case .partial:
            for segment in event.segments { expect(!segment.isFinal && segment.id == nextID) }
        default: break
        }
    }
}
