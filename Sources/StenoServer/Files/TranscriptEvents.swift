#if Server
    import Foundation
    import Steno
    import StenoCore

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
