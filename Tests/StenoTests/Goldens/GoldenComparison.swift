import Steno
import StenoTestSupport
import Testing

@testable import StenoCore

extension TranscriptionGoldens.File {
    /// Expects the golden's tokens, and its numbers as far as two ways of summing can agree; counts words.
    func expect(_ transcript: Transcript, _ name: String, _ words: inout GoldenWordCount) {
        #expect(transcript.language == language, "\(name)")
        #expect(abs(transcript.languageProbability - language_probability) < 1e-3, "\(name)")
        #expect(transcript.segments.map(\.tokens) == segments.map(\.tokens), "\(name)")
        for (segment, reference) in zip(transcript.segments, segments) {
            #expect(segment.text == reference.text, "\(name)")
            #expect(abs(segment.averageLogProbability - reference.avg_logprob) < 2e-3, "\(name)")
            #expect(abs(segment.compressionRatio - reference.compression_ratio) < 1e-5, "\(name)")
            #expect(abs(segment.noSpeechProbability - reference.no_speech_prob) < 1e-3, "\(name)")
            if let goldenWords = reference.words {
                words.count(segment.words ?? [], goldenWords)
            } else {
                #expect(segment.seek == reference.seek, "\(name)")
                #expect(
                    abs(segment.start - reference.start) < 1e-3 && abs(segment.end - reference.end) < 1e-3, "\(name)")
            }
        }
    }
}

/// How many words are where faster-whisper puts them, to one position of 20 ms.
struct GoldenWordCount {
    var all = 0
    var near = 0

    mutating func count(_ words: [Word], _ goldens: [TranscriptionGoldens.Word]) {
        all += max(words.count, goldens.count)
        near += zip(words, goldens).count { word, golden in
            word.rawText == golden.word && abs(word.start - golden.start) < 0.0201
                && abs(word.end - golden.end) < 0.0201
        }
    }
}
