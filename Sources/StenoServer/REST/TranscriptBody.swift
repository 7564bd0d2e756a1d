#if Server
    import Foundation
    import Steno
    import StenoCore
    import StenoWhisper

    /// A transcript as the body of a response.
    struct TranscriptBody: Sendable {
        let transcript: Transcript
        let request: SpeechRequest

        /// The bytes of the body.
        ///
        /// - Throws: What an encoder throws; a transcript of finite numbers never does.
        func data() throws -> Data {
            switch request.format {
            case .text: Data((transcript.text + "\n").utf8)
            case .srt: Data(TranscriptFormat.srt.text(of: transcript).utf8)
            case .vtt: Data(TranscriptFormat.vtt.text(of: transcript).utf8)
            case .json: try APIEncoder.data(plain)
            case .verboseJSON: try APIEncoder.data(verbose)
            case .diarizedJSON: try APIEncoder.data(diarized)
            }
        }

        private var plain: APITranscript {
            APITranscript(
                text: transcript.text,
                logprobs: request.includesProbabilities ? transcript.words.map(APIProbability.init) : nil,
                usage: usage)
        }

        private var verbose: APIVerboseTranscript {
            APIVerboseTranscript(
                task: request.options.task.rawValue,
                language: Languages.name(of: transcript.language)?.lowercased() ?? transcript.language,
                duration: Hundredths.rounded(transcript.duration), text: transcript.text,
                segments: request.includesSegments ? transcript.segments.map(APISegment.init) : nil,
                words: request.includesWords ? transcript.words.map(APIWord.init) : nil, usage: usage)
        }

        private var diarized: APIDiarizedTranscript {
            APIDiarizedTranscript(
                task: request.options.task.rawValue, duration: Hundredths.rounded(transcript.duration),
                text: transcript.text,
                segments: APISpeakerSegment.segments(of: transcript, named: request.knownSpeakers.names), usage: usage)
        }

        /// The measured value: the length of the audio.
        var usage: APIUsage { APIUsage(seconds: transcript.duration.rounded(.up)) }
    }
#endif
