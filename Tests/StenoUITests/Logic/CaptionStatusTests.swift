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

    @Test func everyStateHasAText() {
        let all = TranscriptionState.allCases.map { text(CaptionStatus(), $0) }
        #expect(all.allSatisfy { !$0.isEmpty })
        #expect(Set(all).count == TranscriptionState.allCases.count)
        #expect(text(CaptionStatus(), .running) == "Listening")
        #expect(text(CaptionStatus(), .running, speaking: true) == "Hearing speech")
        #expect(text(CaptionStatus(), .preparing, detail: "Loading Whisper.") == "Loading Whisper.")
        #expect(text(CaptionStatus(), .failed, detail: "No microphone.") == "Stopped: No microphone.")
    }

    @Test func aMutedMicrophoneIsReportedAfterTwoSecondsAndAQuietRoomIsNot() {
        var status = CaptionStatus()
        var count = 0
        func hear(_ level: AudioLevel?, times: Int = 1) {
            for _ in 0..<times {
                count += 1
                status.hear(level, count: count)
            }
        }
        hear(AudioLevel(rms: -70, peak: -62), times: 200)
        #expect(text(status, .running) == "Listening")
        hear(AudioLevel(rms: -120, peak: -120), times: CaptionStatus.silentLevels - 1)
        #expect(text(status, .running) == "Listening")
        hear(AudioLevel(rms: -120, peak: -120))
        #expect(text(status, .running) == "No audio. Is the microphone muted?")
        hear(AudioLevel(rms: -50, peak: -40))
        #expect(text(status, .running) == "Listening")
    }

    @Test func levelsBetweenTwoRedrawsCount() {
        var status = CaptionStatus()
        let silence = AudioLevel(rms: -120, peak: -120)
        status.hear(AudioLevel(rms: -30, peak: -20), count: 100)
        status.hear(silence, count: 100 + CaptionStatus.silentLevels - 1)
        #expect(text(status, .running) == "Listening")
        status.hear(silence, count: 100 + CaptionStatus.silentLevels)
        #expect(text(status, .running) == "No audio. Is the microphone muted?")
        status.hear(nil, count: 500)
        #expect(text(status, .running) == "Listening")
        status.hear(silence, count: 500 + CaptionStatus.silentLevels - 1)
        #expect(text(status, .running) == "Listening", "levels before nil do not count")
    }
}
