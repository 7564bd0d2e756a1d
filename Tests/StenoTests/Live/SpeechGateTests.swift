import StenoVoiceActivity
import Testing

@testable import Steno

/// Where speech begins and ends, with probabilities between the two thresholds.
struct SpeechGateTests {
    private let options = LiveOptions()
    /// Neither the beginning of speech nor its end.
    private let between: Float = 0.4

    /// The windows of the endpoint's silence.
    private var endpoint: Int {
        (options.endpoint.samples + VoiceActivity.windowLength - 1) / VoiceActivity.windowLength
    }

    @Test func aDoubtfulWindowNeitherBeginsNorEndsSpeech() {
        #expect(between > Float(options.silenceThreshold) && between < Float(options.speechThreshold))
        var gate = SpeechGate(options)
        for _ in 0..<100 { #expect(gate.hear(between) == nil && !gate.isOpen) }
        #expect(gate.hear(0.9) == .begins)
        for _ in 0..<100 { #expect(gate.hear(between) == nil && gate.isOpen && gate.quiet == 0) }
    }

    @Test func speechEndsWhereTheSilenceBegan() {
        var gate = SpeechGate(options)
        for _ in 0..<10 { _ = gate.hear(0.9) }
        for window in 1..<endpoint { #expect(gate.hear(0.1) == nil, "window \(window) of silence") }
        #expect(gate.hear(0.1) == .ends(at: 10 * VoiceActivity.windowLength))
        #expect(!gate.isOpen)
    }

    /// A doubtful window within a silence is speech, so that the silence begins again.
    @Test func speechResumesWithADoubtfulWindow() {
        var gate = SpeechGate(options)
        _ = gate.hear(0.9)
        for _ in 1..<endpoint { _ = gate.hear(0.1) }
        #expect(gate.hear(between) == nil && gate.quiet == 0)
        #expect(gate.quietFrom == gate.position)
    }
}
