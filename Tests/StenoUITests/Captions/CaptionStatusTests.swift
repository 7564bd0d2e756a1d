import Steno
import Testing

@testable import StenoUI

struct CaptionStatusTests {
    private let texts = InterfaceTexts(preferring: ["en"])

    private func text(
        _ status: CaptionStatus, _ state: TranscriptionState, speaking: Bool = false, detail: String? = nil
    ) -> String {
        status.text(state, isSpeaking: speaking, detail: detail, in: texts)
    }

    @Test func everyStateIsInWords() {
        let all = TranscriptionState.allCases.map { text(CaptionStatus(), $0, detail: nil) }
        #expect(all.allSatisfy { !$0.isEmpty })
        #expect(Set(all).count == TranscriptionState.allCases.count)
        #expect(text(CaptionStatus(), .running) == "Listening")
        #expect(text(CaptionStatus(), .running, speaking: true) == "Hearing speech")
        #expect(text(CaptionStatus(), .preparing, detail: "Loading Whisper.") == "Loading Whisper.")
        #expect(text(CaptionStatus(), .failed, detail: "No microphone.") == "Stopped: No microphone.")
    }

    @Test func aMutedMicrophoneIsReportedAfterTwoSecondsAndAQuietRoomIsNot() {
        var status = CaptionStatus()
        for _ in 0..<200 { status.hear(AudioLevel(rms: -70, peak: -62)) }
        #expect(text(status, .running) == "Listening")
        for _ in 1..<CaptionStatus.silentLevels { status.hear(AudioLevel(rms: -120, peak: -120)) }
        #expect(text(status, .running) == "Listening")
        status.hear(AudioLevel(rms: -120, peak: -120))
        #expect(text(status, .running) == "No audio. Is the microphone muted?")
        status.hear(AudioLevel(rms: -50, peak: -40))
        #expect(text(status, .running) == "Listening")
    }
}
