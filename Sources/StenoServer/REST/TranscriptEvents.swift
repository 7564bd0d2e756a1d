#if Server
    import Foundation
    import Steno
    import StenoCore

    /// The events of a streamed transcription: deltas of final text, whose concatenation is the text, and the end.
    struct TranscriptEvents: Sendable {
        private struct Delta: Encodable {
            var type = "transcript.text.delta"
            let delta: String
            let logprobs: [APIProbability]?
        }

        private struct Done: Encodable {
            var type = "transcript.text.done"
            let text: String
            let logprobs: [APIProbability]?
            let usage: APIUsage
        }

        private let request: SpeechRequest
        private var text = ""

        init(_ request: SpeechRequest) { self.request = request }

        /// The events for the next segment.
        mutating func events(for segment: Segment) throws -> [Data] {
            // Like the transcript's text, it does not begin with a space.
            let piece = text.isEmpty ? String(segment.text.drop { $0 == " " }) : segment.text
            guard !piece.isEmpty else { return [] }
            text += piece
            // Who speaks is known when everything has been heard.
            guard request.format != .diarizedJSON else { return [] }
            let words = request.includesProbabilities ? segment.words ?? [] : nil
            return [try Self.event(Delta(delta: piece, logprobs: words?.map(APIProbability.init)))]
        }

        /// The events at the end.
        mutating func end(_ transcript: Transcript) throws -> [Data] {
            let body = TranscriptBody(transcript: transcript, request: request)
            let words = request.includesProbabilities ? transcript.words : nil
            let done = Done(text: transcript.text, logprobs: words?.map(APIProbability.init), usage: body.usage)
            let segments =
                request.format == .diarizedJSON
                ? APISpeakerSegment.segments(of: transcript, named: request.knownSpeakers.names) : []
            return try segments.map(Self.event) + [try Self.event(done), Self.last]
        }

        /// The event for an error after the response has begun, which clients throw.
        static func failure(_ error: ServerError) -> Data { Data("data: ".utf8) + error.body + Data("\n\n".utf8) }

        /// After it, OpenAI's SDKs stop reading.
        private static let last = Data("data: [DONE]\n\n".utf8)

        private static func event(_ value: some Encodable) throws -> Data {
            Data("data: ".utf8) + (try APIEncoder.data(value)) + Data("\n\n".utf8)
        }
    }
#endif
