import Foundation
import StenoWhisperKit

#if canImport(Combine)
    import Combine
#endif

/// The calls of WhisperKit's samples: its README, its page about streaming, its command.
///
/// This file imports the module as its users do. Where a sample records from the microphone, a file is the source.
enum Samples {
    // MARK: README

    static func quickExample(_ path: String) async -> String? {
        let pipe = try? await WhisperKit()
        // swift-format-ignore: NeverForceUnwrap
        let transcription = try? await pipe!.transcribe(audioPath: path)?.text
        return transcription
    }

    static func selection() async -> [WhisperKit?] {
        let named = try? await WhisperKit(WhisperKitConfig(model: "large-v3-v20240930_626MB"))
        let config = WhisperKitConfig(model: "large-v3-v20240930_626MB", modelRepo: "username/your-model-repo")
        let own = try? await WhisperKit(config)
        return [named, own]
    }

    static func results(_ path: String, _ samples: [Float]) async throws -> [String] {
        let whisperKit = try await WhisperKit(WhisperKitConfig(model: "base", verbose: false, logLevel: .none))
        let options = DecodingOptions(task: .transcribe, language: "en", wordTimestamps: true)
        let fromFile = try await whisperKit.transcribe(audioPath: path, decodeOptions: options) { progress in
            progress.text.isEmpty ? nil : true
        }
        let fromSamples: [TranscriptionResult] = try await whisperKit.transcribe(
            audioArray: samples, decodeOptions: options)
        let text = fromFile.map { $0.text }.joined(separator: " ")
        return [text, fromSamples.map(\.text).joined(separator: " ")]
    }

    // MARK: The command

    static func prompt(_ text: String, _ whisperKit: WhisperKit) -> DecodingOptions {
        var options = DecodingOptions()
        if text.count > 0, let tokenizer = whisperKit.tokenizer {
            options.promptTokens = tokenizer.encode(text: " " + text.trimmingCharacters(in: .whitespaces)).filter {
                $0 < tokenizer.specialTokens.specialTokenBegin
            }
        }
        return options
    }

    static func several(_ folder: String, _ paths: [String]) async throws -> String {
        let whisperKit = try await WhisperKit(
            modelFolder: folder, verbose: true, logLevel: .debug, prewarm: true, load: true)
        let results = await whisperKit.transcribe(
            audioPaths: paths, decodeOptions: DecodingOptions(wordTimestamps: true))
        let merged = TranscriptionUtilities.mergeTranscriptionResults(results.compactMap { $0?.first })
        return merged.text
    }

    // MARK: The page about streaming

    static func callback(report: @escaping @Sendable (String) -> Void) -> AudioStreamTranscriberCallback {
        let callback: AudioStreamTranscriberCallback = { oldState, newState in
            guard
                oldState.currentText != newState.currentText
                    || oldState.unconfirmedSegments != newState.unconfirmedSegments
                    || oldState.confirmedSegments != newState.confirmedSegments
            else { return }
            for segment in newState.confirmedSegments.dropFirst(oldState.confirmedSegments.count) {
                report("Confirmed segment: \(segment.text)")
            }
            for segment in newState.unconfirmedSegments { report("Unconfirmed segment: \(segment.text)") }
            report("Current text: \(newState.currentText)")
        }
        return callback
    }

    static func parameters(
        _ whisperKit: WhisperKit, _ recording: URL, _ callback: @escaping AudioStreamTranscriberCallback
    ) -> AudioStreamTranscriber? {
        guard let tokenizer = whisperKit.tokenizer else { return nil }
        return AudioStreamTranscriber(
            audioEncoder: whisperKit.audioEncoder, featureExtractor: whisperKit.featureExtractor,
            segmentSeeker: whisperKit.segmentSeeker, textDecoder: whisperKit.textDecoder, tokenizer: tokenizer,
            audioProcessor: AudioProcessor(source: .file(recording)), decodingOptions: DecodingOptions(language: "en"),
            requiredSegmentsForConfirmation: 2, silenceThreshold: 0.3, compressionCheckWindow: 60, useVAD: true,
            stateChangeCallback: callback)
    }

    static func voice(_ audioProcessor: any AudioProcessing) async -> (detected: Bool, allowed: Bool) {
        let detected = AudioProcessor.isVoiceDetected(
            in: audioProcessor.relativeEnergy, nextBufferInSeconds: 1.0, silenceThreshold: 0.3)
        return (detected, await AudioProcessor.requestRecordPermission())
    }

    static func isRepetitive(_ progress: TranscriptionProgress) -> Bool {
        TextUtilities.compressionRatio(of: progress.tokens.suffix(60)) > 2.4
    }

    /// The view model, without its view.
    @MainActor final class StreamingViewModel: ObservableObject {
        @Published var isRecording = false
        @Published var currentText = ""
        @Published var confirmedSegments: [TranscriptionSegment] = []
        @Published var unconfirmedSegments: [TranscriptionSegment] = []
        private var streamTranscriber: AudioStreamTranscriber?

        func startStreaming(_ recording: URL) async throws {
            let whisperKit = try await WhisperKit()
            guard let tokenizer = whisperKit.tokenizer else { return }
            streamTranscriber = AudioStreamTranscriber(
                audioEncoder: whisperKit.audioEncoder, featureExtractor: whisperKit.featureExtractor,
                segmentSeeker: whisperKit.segmentSeeker, textDecoder: whisperKit.textDecoder, tokenizer: tokenizer,
                audioProcessor: AudioProcessor(source: .file(recording)), decodingOptions: DecodingOptions(),
                stateChangeCallback: { [weak self] _, newState in
                    Task { @MainActor in
                        self?.isRecording = newState.isRecording
                        self?.currentText = newState.currentText
                        self?.confirmedSegments = newState.confirmedSegments
                        self?.unconfirmedSegments = newState.unconfirmedSegments
                    }
                })
            try await streamTranscriber?.startStreamTranscription()
        }

        func stopStreaming() async {
            await streamTranscriber?.stopStreamTranscription()
            streamTranscriber = nil
        }
    }
}

#if !canImport(Combine)
    /// Stands in for Combine's where there is none.
    protocol ObservableObject: AnyObject {}

    /// Stands in for Combine's where there is none.
    @propertyWrapper struct Published<Value> {
        var wrappedValue: Value
        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    }
#endif
