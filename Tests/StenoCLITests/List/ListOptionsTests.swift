import Steno
import Testing

@testable import StenoCLI

struct ListOptionsTests {
    /// A model may hear text in the silence of the side that listens.
    @Test func theSilenceInAChannelIsLeftOut() {
        #expect(DecodingOptions().forOneChannel.voiceActivity != nil)
    }

    @Test func clipsAndBatchesSayThemselvesWhatIsTranscribed() {
        var clips = DecodingOptions()
        clips.clips = [1..<2]
        #expect(clips.forOneChannel.voiceActivity == nil)
        var batch = DecodingOptions()
        batch.batchSize = 4
        #expect(batch.forOneChannel.voiceActivity == nil)
    }
}
