import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// The speakers of a long live session.
struct VoiceArchiveTests {
    private let moments = VoiceMoments(step: OverlapSettings.live.momentStep)

    private func voice(_ axis: Int, window: Int, frames: Int) -> LocalVoice {
        var values = [Float](repeating: 0, count: 4)
        values[axis] = 1
        return LocalVoice(window: window, speaker: 0, frames: frames, embedding: SpeakerEmbedding(values))
    }

    /// A guest speaks at the beginning only, mostly for less than a second at a time; then someone else speaks for minutes.
    @Test func aGuestIsKnownByTheLongerVoices() {
        var archive = VoiceArchive(settings: .live)
        for window in 0..<16 {
            archive.add([voice(1, window: window, frames: window % 4 == 1 ? 170 : 30)])
            _ = archive.findSpeakers(moments: moments)
        }
        let guest = archive.speakers.map(\.number)
        #expect(guest.count == 1)
        for window in 16..<700 {
            archive.add([voice(0, window: window, frames: 170)])
            if window.isMultiple(of: 10) { _ = archive.findSpeakers(moments: moments) }
        }
        #expect(archive.count <= 320)
        #expect(archive.speakers.count == 2)
        #expect(archive.speakers.contains { $0.number == guest.first && $0.embedding.values[1] > 0.9 })
    }
}
