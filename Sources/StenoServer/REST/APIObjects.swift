#if Server
    import Foundation
    import Steno
    import StenoCore

    /// Writes the objects of OpenAI's API.
    enum APIEncoder {
        static func data(_ value: some Encodable) throws -> Data {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
            return try encoder.encode(value)
        }
    }

    /// The response in the format `json`.
    struct APITranscript: Encodable, Sendable {
        let text: String
        let logprobs: [APIProbability]?
        let usage: APIUsage
    }

    /// The response in the format `verbose_json`.
    struct APIVerboseTranscript: Encodable, Sendable {
        let task: String
        let language: String
        let duration: Double
        let text: String
        let segments: [APISegment]?
        let words: [APIWord]?
        let usage: APIUsage
    }

    /// The response in the format `diarized_json`.
    struct APIDiarizedTranscript: Encodable, Sendable {
        let task: String
        let duration: Double
        let text: String
        let segments: [APISpeakerSegment]
        let usage: APIUsage
    }

    struct APIUsage: Encodable, Sendable {
        var type = "duration"
        let seconds: Double
    }

    struct APIWord: Encodable, Sendable {
        let word: String
        let start: Double
        let end: Double

        init(_ word: Word) {
            self.word = word.text
            start = Hundredths.rounded(word.start)
            end = Hundredths.rounded(word.end)
        }
    }

    /// The probability of a word, in the place of OpenAI's tokens, which are parts of words.
    struct APIProbability: Encodable, Sendable {
        let token: String
        let bytes: [UInt8]
        let logprob: Double

        init(_ word: Word) {
            token = word.rawText
            bytes = Array(word.rawText.utf8)
            // JSON cannot represent the logarithm of 0.
            logprob = log(max(word.probability, 1e-9))
        }
    }

    struct APISegment: Encodable, Sendable {
        let id: Int
        let seek: Int
        let start: Double
        let end: Double
        let text: String
        let tokens: [Int]
        let temperature: Double
        let averageLogProbability: Double
        let compressionRatio: Double
        let noSpeechProbability: Double

        private enum CodingKeys: String, CodingKey {
            case id, seek, start, end, text, tokens, temperature
            case averageLogProbability = "avg_logprob"
            case compressionRatio = "compression_ratio"
            case noSpeechProbability = "no_speech_prob"
        }

        init(_ segment: Segment) {
            id = segment.id
            seek = segment.whisper?.seek ?? 0
            start = Hundredths.rounded(segment.start)
            end = Hundredths.rounded(segment.end)
            text = segment.text
            tokens = segment.whisper?.tokens ?? []
            temperature = segment.whisper?.temperature ?? 0
            averageLogProbability = segment.whisper?.averageLogProbability ?? 0
            compressionRatio = segment.whisper?.compressionRatio ?? 1
            noSpeechProbability = segment.whisper?.noSpeechProbability ?? 0
        }
    }

    struct APISpeakerSegment: Encodable, Sendable {
        var type = "transcript.text.segment"
        let id: String
        let start: Double
        let end: Double
        let text: String
        let speaker: String

        /// The segments of a transcript: speakers whom the client named have their names, the others are A, B, C in the
        /// order in which they first speak.
        static func segments(of transcript: Transcript, named names: [String]) -> [APISpeakerSegment] {
            // A letter that the client assigned to a voice is not used for others.
            let free = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
                .filter { !names.contains($0) }
            var letters: [String: String] = [:]
            func name(_ label: String) -> String {
                guard !names.contains(label) else { return label }
                // There are four names at most.
                let letter = letters[label] ?? free[letters.count % free.count]
                letters[label] = letter
                return letter
            }
            // Text in which no voice was found is the speaker's before, and at the beginning the first one's.
            var speaker = transcript.segments.lazy.compactMap(\.speaker).first.map(name) ?? free.first ?? ""
            return transcript.segments.map { segment in
                if let label = segment.speaker { speaker = name(label) }
                return APISpeakerSegment(segment, speaker: speaker)
            }
        }

        private init(_ segment: Segment, speaker: String) {
            id = "seg_\(segment.id)"
            start = Hundredths.rounded(segment.start)
            end = Hundredths.rounded(segment.end)
            text = segment.text
            self.speaker = speaker
        }
    }
#endif
