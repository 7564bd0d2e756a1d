#if Server
    import Foundation
    import Steno
    import StenoCore

    /// A transcript in the formats of OpenAI's API.
    struct TranscriptBody: Sendable {
        let transcript: Transcript
        let request: SpeechRequest

        var data: Data {
            let text =
                switch request.format {
                case .text: transcript.text + "\n"
                case .srt: TranscriptFormat.srt.text(of: transcript)
                case .vtt: TranscriptFormat.vtt.text(of: transcript)
                case .json: plain.text
                case .verboseJSON: verbose.text
                case .diarizedJSON: diarized.text
                }
            return Data(text.utf8)
        }

        /// The event at the end of a stream.
        var done: JSONValue {
            var members = plainMembers
            members["type"] = "transcript.text.done"
            return .object(members)
        }

        private var plain: JSONValue { .object(plainMembers) }

        private var verbose: JSONValue {
            var members = measuredMembers
            let language = Languages.name(of: transcript.language)?.lowercased() ?? transcript.language
            members["language"] = .string(language)
            if request.includesSegments { members["segments"] = .array(transcript.segments.map(\.verbose)) }
            if request.includesWords { members["words"] = .array(transcript.words.map(\.inHundredths)) }
            return .object(members)
        }

        private var diarized: JSONValue {
            var members = measuredMembers
            members["segments"] = .array(segmentsBySpeaker)
            return .object(members)
        }

        private var plainMembers: [String: JSONValue] {
            var members: [String: JSONValue] = ["text": .string(transcript.text), "usage": usage]
            if request.includesProbabilities { members["logprobs"] = .array(transcript.words.map(\.logprob)) }
            return members
        }

        private var measuredMembers: [String: JSONValue] {
            [
                "task": .string(request.options.task.rawValue), "duration": .hundredths(transcript.duration),
                "text": .string(transcript.text), "usage": usage,
            ]
        }

        /// The usage, measured by the length of the audio.
        private var usage: JSONValue { ["type": "duration", "seconds": .number(transcript.duration.rounded(.up))] }

        // MARK: Speakers

        /// The segments with their speakers, as they are in a response and at the end of a stream.
        var segmentsBySpeaker: [JSONValue] {
            let speakers = Self.speakers(of: transcript, named: request.knownSpeakers.names)
            return zip(transcript.segments, speakers).map { segment, speaker in
                [
                    "type": "transcript.text.segment", "id": .string("seg_\(segment.id)"),
                    "start": .hundredths(segment.start), "end": .hundredths(segment.end),
                    "text": .string(segment.text), "speaker": .string(speaker),
                ]
            }
        }

        /// The speaker of each segment: a name that the client gave, or A, B, C in the order of their first words.
        static func speakers(of transcript: Transcript, named names: [String]) -> [String] {
            // A letter that the client assigned to a voice is not used for others.
            let free = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
                .filter { !names.contains($0) }
            var letters: [String: String] = [:]
            func name(_ label: String) -> String {
                guard !names.contains(label) else { return label }
                // Letters are left, because there are at most four names.
                let letter = letters[label] ?? free[letters.count % free.count]
                letters[label] = letter
                return letter
            }
            // Text without a known voice goes to the previous speaker, or at the beginning to the first one.
            var speaker = transcript.segments.lazy.compactMap(\.speaker).first.map(name) ?? free.first ?? ""
            return transcript.segments.map { segment in
                if let label = segment.speaker { speaker = name(label) }
                return speaker
            }
        }
    }

    extension JSONValue {
        /// A time in seconds, rounded to a hundredth.
        fileprivate static func hundredths(_ seconds: Double) -> JSONValue { .number(Hundredths.rounded(seconds)) }
    }

    extension Word {
        fileprivate var inHundredths: JSONValue {
            ["word": .string(text), "start": .hundredths(start), "end": .hundredths(end)]
        }
    }

    extension Segment {
        /// The segment in the format `verbose_json`; numbers that only Whisper has are neutral for other models.
        fileprivate var verbose: JSONValue {
            let numbers: [String: Double] = [
                "id": Double(id), "start": Hundredths.rounded(start), "end": Hundredths.rounded(end),
                "seek": Double(whisper?.seek ?? 0), "temperature": whisper?.temperature ?? 0,
                "avg_logprob": whisper?.averageLogProbability ?? 0, "compression_ratio": whisper?.compressionRatio ?? 1,
                "no_speech_prob": whisper?.noSpeechProbability ?? 0,
            ]
            let tokens = (whisper?.tokens ?? []).map { JSONValue.number(Double($0)) }
            var members = numbers.mapValues(JSONValue.number)
            members["text"] = .string(text)
            members["tokens"] = .array(tokens)
            return .object(members)
        }
    }

    /// The events of a streamed transcription: deltas of final text, whose concatenation is the text, and the end.
    struct TranscriptEvents: Sendable {
        private let request: SpeechRequest
        private var text = ""

        init(_ request: SpeechRequest) { self.request = request }

        mutating func events(for segment: Segment) -> [Data] {
            // Like the transcript's text, it does not begin with a space.
            let piece = text.isEmpty ? String(segment.text.drop { $0 == " " }) : segment.text
            guard !piece.isEmpty else { return [] }
            text += piece
            // The speakers are known only at the end.
            guard request.format != .diarizedJSON else { return [] }
            var members: [String: JSONValue] = ["type": "transcript.text.delta", "delta": .string(piece)]
            if request.includesProbabilities { members["logprobs"] = .array((segment.words ?? []).map(\.logprob)) }
            return [Self.event(.object(members))]
        }

        func end(_ transcript: Transcript) -> [Data] {
            let body = TranscriptBody(transcript: transcript, request: request)
            let segments = request.format == .diarizedJSON ? body.segmentsBySpeaker : []
            return segments.map(Self.event) + [Self.event(body.done), Self.last]
        }

        /// The event for an error after the response has begun, which clients throw.
        static func failure(_ error: ServerError) -> Data { event(error.body) }

        /// After it, OpenAI's SDKs stop reading.
        private static let last = Data("data: [DONE]\n\n".utf8)

        private static func event(_ value: JSONValue) -> Data { Data("data: \(value.text)\n\n".utf8) }
    }
#endif
