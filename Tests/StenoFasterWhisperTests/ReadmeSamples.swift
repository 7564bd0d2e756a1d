import StenoFasterWhisper

/// The calls of every Swift block of SwiftFasterWhisper's README; blocks that make no other calls than these are left out.
///
/// This file imports the module as its users do. Filled in is only what the README leaves open: which file, where the
/// samples come from. Where it forgets an `await` (`try whisper.loadModel()`), its own module's declaration asks for one
/// too. A `try` before `configure` (README of 25 January 2026) or `addAudioChunk` (24 January) is left out: nothing is
/// thrown here, of which the compiler warns, and the checks make warnings errors. `make docs-check` compiles it.
enum ReadmeSamples {
    // MARK: Quick start

    static func quickStart(_ audio: String) async throws -> String {
        let whisper = SwiftFasterWhisper()
        try await whisper.loadModel()
        let result = try await whisper.transcribe(audioFilePath: audio)
        return result.text
    }

    // MARK: Model setup

    static func modelSizes(report: @escaping @Sendable (String) -> Void) async throws -> [SwiftFasterWhisper] {
        let medium = SwiftFasterWhisper()
        try await medium.loadModel()
        let small = SwiftFasterWhisper(modelSize: .small)
        small.downloadProgressCallback = { fileName, progress, downloaded, total in
            report("Downloading \(fileName): \(Int(progress * 100))%, \(downloaded) of \(total)")
        }
        try await small.loadModel()
        return [medium, small]
    }

    static func customPath(_ path: String) async throws -> SwiftFasterWhisper {
        let whisper = SwiftFasterWhisper(modelPath: path)
        try await whisper.loadModel()
        return whisper
    }

    // MARK: Basic transcription

    static func basic(_ audio: String, loadAudio: () async throws -> [Float]) async throws -> [TranscriptionResult] {
        let modelPath = try await ModelFileManager.ensureWhisperModel().path
        let whisper = SwiftFasterWhisper(modelPath: modelPath)
        try await whisper.loadModel()

        let fromFile = try await whisper.transcribe(audioFilePath: audio)
        let audioSamples: [Float] = try await loadAudio()
        let fromSamples = try await whisper.transcribe(audio: audioSamples)
        let inLanguage = try await whisper.transcribe(audioFilePath: audio, language: "en")
        return [fromFile, fromSamples, inLanguage]
    }

    // MARK: Translation

    static func translation(_ whisper: SwiftFasterWhisper, _ spanish: String) async throws -> [TranscriptionResult] {
        let given = try await whisper.translate(audioFilePath: spanish, sourceLanguage: "es")
        let detected = try await whisper.translate(audioFilePath: spanish)
        return [given, detected]
    }

    // MARK: Streaming

    static func task(_ audioStream: AsyncStream<[Float]>) async throws -> String {
        let modelPath = try await ModelFileManager.ensureWhisperModel(size: .medium)
        let recognizer = StreamingRecognizer(modelPath: modelPath.path)
        await recognizer.configure(language: "en")
        let task = Task {
            var all = ""
            for await chunk in audioStream {
                let text = await recognizer.addAudioChunk(chunk)
                if !text.isEmpty { all += text }
            }
            return all + (await recognizer.stop())
        }
        return await task.value
    }

    // MARK: Segments

    static func segments(_ whisper: SwiftFasterWhisper, _ audio: String) async throws -> [String] {
        let result = try await whisper.transcribe(audioFilePath: audio)
        var lines = [result.text]
        for segment in result.segments { lines.append("[\(segment.start)s -> \(segment.end)s] \(segment.text)") }
        lines.append("\(result.language) \(result.languageProbability)")
        return lines
    }

    // MARK: Errors

    static func errorHandling(_ whisper: SwiftFasterWhisper, _ audioData: [Float]) async -> String {
        do {
            let result = try await whisper.transcribe(audio: audioData)
            return result.text
        } catch RecognitionError.modelNotLoaded { return "not loaded" } catch RecognitionError.invalidAudioData {
            return "empty or invalid"
        } catch RecognitionError.recognitionFailed(let message) { return "failed: \(message)" } catch {
            return "unexpected: \(error)"
        }
    }

    // MARK: Model management

    static func management() throws -> (exists: Bool, megabytes: Int64, path: String) {
        let exists = ModelManager.modelExists(name: "whisper-medium-ct2")
        let totalSize = try ModelManager.getModelsSize()
        try ModelManager.clearAllModels()
        let modelsDir = try ModelManager.defaultModelsDirectory()
        return (exists, totalSize / 1024 / 1024, modelsDir.path)
    }

    static let sizes: [WhisperModelSize] = [
        WhisperModelSize.tiny, WhisperModelSize.base, WhisperModelSize.small, WhisperModelSize.medium,
        WhisperModelSize.largeV2,
    ]

    // MARK: The README of 25 January 2026, in the morning

    static func pollingText(_ audioStream: AsyncStream<[Float]>) async throws -> String {
        let recognizer = StreamingRecognizer()
        try await recognizer.loadModel()
        await recognizer.configure(language: "en")
        let task = Task {
            for await chunk in audioStream { await recognizer.addAudioChunk(chunk) }
            await recognizer.stop()
        }
        await task.value
        let text = await recognizer.getNewText()
        return text
    }

    // MARK: The README of 24 January 2026, whose other blocks call less

    final class MyDelegate: StreamingRecognizerDelegate, @unchecked Sendable {
        // Sendable: the recognizer calls it in order, and a test reads it after the end.
        var lines: [String] = []

        func recognizer(_ recognizer: StreamingRecognizer, didReceiveSegments segments: [TranscriptionSegment]) {
            for segment in segments { lines.append("[\(segment.start)s - \(segment.end)s] \(segment.text)") }
        }

        func recognizer(_ recognizer: StreamingRecognizer, didFinishWithError error: (any Error)?) {
            if let error { lines.append("Error: \(error)") } else { lines.append("Streaming finished") }
        }
    }

    static func delegate(_ chunks: [[Float]], _ delegate: MyDelegate) async throws -> [TranscriptionSegment] {
        let modelPath = try await ModelFileManager.ensureWhisperModel().path
        let recognizer = StreamingRecognizer(modelPath: modelPath)
        try await recognizer.loadModel()

        await recognizer.setDelegate(delegate)
        await recognizer.configure(language: "en")
        var segments: [TranscriptionSegment] = []
        for chunk in chunks {
            await recognizer.addAudioChunk(chunk)
            let newSegments = await recognizer.getNewSegments()
            for segment in newSegments { segments.append(segment) }
        }
        await recognizer.stop()
        return segments + (await recognizer.getNewSegments())
    }
}
