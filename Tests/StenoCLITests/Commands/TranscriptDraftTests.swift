import Testing

@testable import StenoCLI

@Suite struct TranscriptDraftTests {
    /// An interrupt and the end of the work can both ask for the draft; the text is written once.
    @Test func aDraftIsTakenOnce() {
        let draft = TranscriptDraft()
        #expect(draft.take())
        #expect(!draft.take())
    }
}
