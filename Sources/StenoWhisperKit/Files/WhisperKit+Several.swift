extension WhisperKit {
    /// Transcribes files, one after the other.
    ///
    /// - Parameters:
    ///   - audioPaths: The paths.
    ///   - decodeOptions: The options; nil for the defaults.
    ///   - callback: Receives the progress of each.
    /// - Returns: The results of each file, in order; nil for a file that failed.
    public func transcribe(
        audioPaths: [String], decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil
    ) async -> [[TranscriptionResult]?] {
        await transcribeWithResults(audioPaths: audioPaths, decodeOptions: decodeOptions, callback: callback)
            .map { try? $0.get() }
    }

    /// Transcribes files one after the other, and reports why one failed.
    ///
    /// - Returns: The results of each file, in order, or the error that
    ///   ``transcribe(audioPath:decodeOptions:callback:)`` threw.
    public func transcribeWithResults(
        audioPaths: [String], decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil
    ) async -> [Result<[TranscriptionResult], any Error>] {
        await each(audioPaths) {
            try await self.transcribe(audioPath: $0, decodeOptions: decodeOptions, callback: callback)
        }
    }

    /// Transcribes recordings in memory, one after the other.
    ///
    /// - Returns: The results of each, in order; nil for one that failed.
    public func transcribe(
        audioArrays: [[Float]], decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil
    ) async -> [[TranscriptionResult]?] {
        await transcribeWithResults(audioArrays: audioArrays, decodeOptions: decodeOptions, callback: callback)
            .map { try? $0.get() }
    }

    /// Transcribes recordings in memory one after the other, and reports why one failed.
    ///
    /// - Returns: The results of each, in order, or the error that
    ///   ``transcribe(audioArray:decodeOptions:callback:segmentCallback:)`` threw.
    public func transcribeWithResults(
        audioArrays: [[Float]], decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil
    ) async -> [Result<[TranscriptionResult], any Error>] {
        await each(audioArrays) {
            try await self.transcribe(audioArray: $0, decodeOptions: decodeOptions, callback: callback)
        }
    }

    private func each<Recording>(
        _ recordings: [Recording], _ transcribe: (Recording) async throws -> [TranscriptionResult]
    ) async -> [Result<[TranscriptionResult], any Error>] {
        var results: [Result<[TranscriptionResult], any Error>] = []
        for recording in recordings {
            do { results.append(.success(try await transcribe(recording))) } catch { results.append(.failure(error)) }
        }
        return results
    }
}
