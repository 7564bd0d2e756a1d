#if canImport(Speech) && canImport(AVFAudio)
    import Foundation
    import Speech
    package import Steno
    import StenoCore

    /// Makes engines over `SpeechAnalyzer` and `SpeechTranscriber`, which run on the device.
    @available(macOS 26, iOS 26, *)
    package struct SpeechAnalyzerEngine: TranscriptionEngineProvider {
        package let name = "SpeechAnalyzer"
        /// The failures since the app was started: each recognizer has a provider of its own.
        private static let failures = FailureMemory()

        /// Whether the system has the transcriber and the language, and whether its model is installed.
        package func capability(for request: EngineRequest) async -> EngineCapability {
            if let failed = Self.failures.capability(for: request) { return failed }
            do {
                let locale = try await locale(for: request)
                return switch await AssetInventory.status(forModules: [Self.transcriber(locale)]) {
                case .installed: .ready
                case .supported, .downloading:
                    .needsAssets("The system has to install its speech model for \(locale.identifier(.bcp47)).")
                case .unsupported: .unavailable(reason: "The system has no speech model for this language.")
                @unknown default: .unavailable(reason: "The system does not say whether it has a speech model.")
                }
            } catch { return .unavailable(reason: "\(error)") }
        }

        /// Asks the system to install the model of the language, if it is not installed.
        package func prepareAssets(for request: EngineRequest, progress: @escaping AssetProgress.Handler) async throws {
            let locale = try await locale(for: request)
            guard
                let installation = try await AssetInventory.assetInstallationRequest(
                    supporting: [Self.transcriber(locale)])
            else { return }
            let message = "The system is installing its speech model for \(locale.identifier(.bcp47))."
            let observation = installation.progress.observe(\.fractionCompleted, options: [.initial]) { state, _ in
                progress(AssetProgress(fraction: state.fractionCompleted, message: message))
            }
            defer { observation.invalidate() }
            try await installation.downloadAndInstall()
        }

        /// Makes an engine; the model must be installed.
        package func makeEngine(for request: EngineRequest) async throws -> any TranscriptionEngine {
            let locale = try await locale(for: request)
            let backend = AnalyzerBackend(Self.transcriber(locale), vocabulary: request.vocabulary)
            return RecognitionEngine(backend) { Self.failures.remember($0, for: request) }
        }

        private func locale(for request: EngineRequest) async throws -> Locale {
            guard SpeechTranscriber.isAvailable else {
                throw StenoError(
                    .engineUnavailable, "This device cannot run the system's transcriber. Choose another engine.")
            }
            guard request.task == .transcribe else {
                throw StenoError(
                    .engineUnavailable, "The system's transcriber cannot translate. Choose another engine.")
            }
            guard let wanted = request.locale else {
                throw StenoError(.engineUnavailable, "The system's transcriber cannot detect the language. Set one.")
            }
            guard let locale = await SpeechTranscriber.supportedLocale(equivalentTo: wanted) else {
                throw StenoError(
                    .engineUnavailable,
                    "The system's transcriber does not support \(wanted.identifier(.bcp47)). Choose another engine.")
            }
            return locale
        }

        private static func transcriber(_ locale: Locale) -> SpeechTranscriber {
            SpeechTranscriber(
                locale: locale, transcriptionOptions: [], reportingOptions: [.volatileResults, .fastResults],
                attributeOptions: [.audioTimeRange, .transcriptionConfidence])
        }
    }
#endif
