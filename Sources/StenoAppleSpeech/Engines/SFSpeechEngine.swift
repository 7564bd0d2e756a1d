#if canImport(Speech) && canImport(AVFAudio)
    import Foundation
    import Speech
    package import Steno
    import StenoCore

    /// Makes engines over `SFSpeechRecognizer`, on the device only: it is unavailable if it would need a server.
    ///
    /// The app's Info.plist needs `NSSpeechRecognitionUsageDescription`; without it the system terminates the app.
    package struct SFSpeechEngine: TranscriptionEngineProvider {
        package let name = "SFSpeechRecognizer"
        /// The failures since the app was started: each recognizer has a provider of its own.
        private static let failures = FailureMemory()

        /// Whether there is a recogniser for the language that works on this device.
        package func capability(for request: EngineRequest) async -> EngineCapability {
            if let failed = Self.failures.capability(for: request) { return failed }
            do { _ = try recognizer(for: request) } catch { return .unavailable(reason: "\(error)") }
            return switch SFSpeechRecognizer.authorizationStatus() {
            case .authorized: .ready
            case .notDetermined: .needsAssets("The user has to allow speech recognition.")
            default: .unavailable(reason: Self.denied.message)
            }
        }

        /// Asks for permission, if the user has not been asked before.
        package func prepareAssets(for request: EngineRequest, progress: @escaping AssetProgress.Handler) async throws {
            _ = try recognizer(for: request)
            progress(AssetProgress(fraction: nil, message: "Waiting for permission to recognise speech."))
            let status = await withCheckedContinuation { answer in
                SFSpeechRecognizer.requestAuthorization { @Sendable status in answer.resume(returning: status) }
            }
            guard status == .authorized else { throw Self.denied }
        }

        package func makeEngine(for request: EngineRequest) async throws -> any TranscriptionEngine {
            // Checked here, so that a factory can fall back before a session begins.
            _ = try recognizer(for: request)
            let tasks = SFSpeechTasks(vocabulary: request.vocabulary) { try recognizer(for: request) }
            return RecognitionEngine(TaskedBackend(tasks)) { Self.failures.remember($0, for: request) }
        }

        private func recognizer(for request: EngineRequest) throws -> SFSpeechRecognizer {
            guard request.task == .transcribe else {
                throw StenoError(.engineUnavailable, "The system's recogniser cannot translate. Choose another engine.")
            }
            guard let locale = request.locale else {
                throw StenoError(.engineUnavailable, "The system's recogniser cannot detect the language. Set one.")
            }
            guard let recognizer = SFSpeechRecognizer(locale: locale) else {
                throw StenoError(
                    .engineUnavailable,
                    "The system's recogniser does not support \(locale.identifier(.bcp47)). Choose another engine.")
            }
            guard recognizer.supportsOnDeviceRecognition else {
                throw StenoError(
                    .engineUnavailable,
                    "The system recognises \(locale.identifier(.bcp47)) only on a server, and Steno keeps audio on "
                        + "this device. Add the language to the system's dictation, or choose another engine.")
            }
            guard recognizer.isAvailable else {
                throw StenoError(.engineUnavailable, "The system's recogniser is not available now. Try again later.")
            }
            return recognizer
        }

        private static let denied = StenoError(
            .permissionDenied,
            "This app may not recognise speech. Allow it in the system's settings, under Privacy, Speech Recognition.")
    }
#endif
