import StenoCompute
import StenoCore
import StenoMoonshine
import StenoVoiceActivity

/// Writes scripted texts, whatever the audio.
final class ScriptedRecognizer: UtteranceRecognizer {
    var isCancelled: () -> Bool = { false }
    /// The utterances so far, and the drafts that came with them.
    private(set) var heard: [[Float]] = []
    private(set) var drafts: [[Int]] = []
    private let write: (_ samples: [Float], _ number: Int) -> RecognizedText

    /// - Parameter write: The text of an utterance, the first of which has the number 0.
    init(_ write: @escaping (_ samples: [Float], _ number: Int) -> RecognizedText) { self.write = write }

    /// One text after the other, and then nothing.
    convenience init(_ texts: String...) {
        self.init { samples, number in number < texts.count ? .spread(texts[number], over: samples) : RecognizedText() }
    }

    func recognize(_ samples: [Float], draft: [Int]) throws -> RecognizedText {
        guard !isCancelled() else { throw StenoError(.cancelled, "Cancelled.") }
        heard.append(samples)
        drafts.append(draft)
        return write(samples, heard.count - 1)
    }

    var seconds: [Double] { heard.map { Double($0.count) / 16_000 } }
}

extension RecognizedText {
    /// A text whose words take equal parts of an utterance; a word's token is its index.
    static func spread(_ text: String, over samples: [Float], isComplete: Bool = true) -> RecognizedText {
        let words = text.split(separator: " ")
        let step = Double(samples.count) / 16_000 / Double(max(words.count, 1))
        return RecognizedText(
            words: words.enumerated().map { index, word in
                UtteranceWord(
                    text: " " + word, handle: [index], start: Double(index) * step, end: Double(index + 1) * step)
            }, isComplete: isComplete)
    }
}

/// Takes everything but digital silence for speech.
final class SoundDetector: VoiceActivityDetector {
    func append(probabilitiesOf windows: UnsafeBufferPointer<Float>, to probabilities: inout [Float]) {
        guard let base = windows.baseAddress else { return }
        for start in stride(from: 0, to: windows.count, by: VoiceActivity.windowLength) {
            probabilities.append(Reductions.peak(base + start, count: VoiceActivity.windowLength) > 0 ? 1 : 0)
        }
    }

    func reset() {}
}
