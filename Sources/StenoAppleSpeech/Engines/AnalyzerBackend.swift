#if canImport(Speech) && canImport(AVFAudio)
    import AVFAudio
    import CoreMedia
    import Foundation
    import Speech
    import Steno
    import StenoCore

    /// One session of a `SpeechAnalyzer`.
    @available(macOS 26, iOS 26, *)
    actor AnalyzerBackend: RecognitionBackend {
        private let transcriber: SpeechTranscriber
        private let analyzer: SpeechAnalyzer
        private let vocabulary: [String]
        private var input: AsyncStream<AnalyzerInput>.Continuation?
        private var phrases: AsyncThrowingStream<RecognitionReport, any Error>.Continuation?
        private var results: Task<Void, Never>?

        init(_ transcriber: SpeechTranscriber, vocabulary: [String]) {
            (self.transcriber, self.vocabulary) = (transcriber, vocabulary)
            analyzer = SpeechAnalyzer(
                modules: [transcriber],
                options: SpeechAnalyzer.Options(priority: .userInitiated, modelRetention: .lingering))
        }

        func start() async throws -> AsyncThrowingStream<RecognitionReport, any Error> {
            try await AnalyzerAudio.check([transcriber])
            if !vocabulary.isEmpty {
                let context = AnalysisContext()
                context.contextualStrings[.general] = vocabulary
                try await analyzer.setContext(context)
            }
            let (stream, phrases) = AsyncThrowingStream<RecognitionReport, any Error>.makeStream()
            let (audio, input) = AsyncStream<AnalyzerInput>.makeStream()
            (self.phrases, self.input) = (phrases, input)
            results = Task { [transcriber] in
                do {
                    for try await result in transcriber.results { phrases.yield(.phrase(RecognizedPhrase(result))) }
                    phrases.finish()
                } catch { phrases.finish(throwing: error) }
            }
            try await analyzer.start(inputSequence: audio)
            return stream
        }

        func append(_ audio: [HeardAudio]) throws {
            for piece in audio {
                guard let buffer = AnalyzerAudio.buffer(piece.samples) else { continue }
                // The position, not the time of arrival: audio may arrive faster than real time, and with gaps.
                input?.yield(AnalyzerInput(buffer: buffer, bufferStartTime: AnalyzerAudio.time(piece.position)))
            }
        }

        func finalize(through position: Int, id: Int) async throws {
            try await analyzer.finalize(through: AnalyzerAudio.time(position))
            // Pending results arrive after this report: the translation drops repetitions.
            phrases?.yield(.finalized(id))
        }

        /// Does nothing: the analyzer cannot discard audio, so the translation drops reports about it.
        func clear() {}

        func finish() async throws {
            input?.finish()
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            await results?.value
        }

        func cancel() async {
            input?.finish()
            phrases?.finish()
            results?.cancel()
            (input, phrases, results) = (nil, nil, nil)
            await analyzer.cancelAndFinishNow()
        }
    }

    @available(macOS 26, iOS 26, *)
    extension RecognizedPhrase {
        /// A result of the transcriber, with the times and probabilities of its runs.
        fileprivate init(_ result: SpeechTranscriber.Result) {
            let words = result.text.runs.compactMap { run -> Word? in
                let text = String(result.text[run.range].characters)
                guard let range = run.audioTimeRange, !text.allSatisfy(\.isWhitespace) else { return nil }
                return Word(
                    rawText: text, start: range.start.seconds, end: range.end.seconds,
                    probability: run.transcriptionConfidence ?? 1)
            }
            self.init(
                String(result.text.characters), start: result.range.start.seconds, end: result.range.end.seconds,
                words: words, isFinal: result.isFinal)
        }
    }

    /// Audio in the format of the system's transcriber: 16 kHz, one channel of `Int16`.
    @available(macOS 26, iOS 26, *)
    private enum AnalyzerAudio {
        private static var format: AVAudioFormat? {
            AVAudioFormat(
                commonFormat: .pcmFormatInt16, sampleRate: Double(AudioFile.sampleRate), channels: 1, interleaved: true)
        }

        static func time(_ position: Int) -> CMTime {
            CMTime(value: CMTimeValue(position), timescale: CMTimeScale(AudioFile.sampleRate))
        }

        /// Throws unless the modules accept that format.
        static func check(_ modules: [any SpeechModule]) async throws {
            for module in modules {
                let formats = await module.availableCompatibleAudioFormats
                let fits = formats.contains {
                    $0.commonFormat == .pcmFormatInt16 && $0.sampleRate == Double(AudioFile.sampleRate)
                        && $0.channelCount == 1
                }
                guard fits else {
                    throw StenoError(
                        .engineUnavailable,
                        "The system's transcriber does not accept 16-bit audio at 16 kHz. Choose another engine.")
                }
            }
        }

        static func buffer(_ samples: [Float]) -> AVAudioPCMBuffer? {
            guard !samples.isEmpty, let format,
                let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)),
                let channel = buffer.int16ChannelData?[0]
            else { return nil }
            buffer.frameLength = buffer.frameCapacity
            for (index, sample) in samples.enumerated() { channel[index] = sample.pcm16 }
            return buffer
        }
    }
#endif
