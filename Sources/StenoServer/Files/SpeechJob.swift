#if Server
    import Foundation
    import Steno
    import StenoCore

    /// The transcription or translation of one upload.
    struct SpeechJob: Sendable {
        let server: ServerContext
        let request: SpeechRequest
        let file: UploadedFile

        /// Waits for its turn and transcribes.
        ///
        /// - Parameter progress: Called on the thread of the work.
        /// - Throws: ``ServerError``, `StenoError`, `CancellationError`.
        func run(progress: Transcriber.Progress? = nil) async throws -> Transcript {
            let ticket = try await admitted()
            defer { ticket.release() }
            // First, so that no model is loaded for invalid recordings.
            let speakers = try await speakers()
            let lease = try await server.models.lease(request.model)
            defer { lease.close() }
            var options = try options(for: lease.transcriber.information)
            options.speakers = speakers
            let transcript = try await lease.transcriber.transcribe(options: options, progress: progress) {
                [file] in try file.open()
            }
            server.metrics.add(.audioSeconds, transcript.duration, labels: ["kind": "file"])
            return transcript
        }

        /// The speaker options, if the format has speakers.
        private func speakers() async throws -> SpeakerOptions? {
            guard request.format == .diarizedJSON else { return nil }
            var speakers = SpeakerOptions()
            speakers.profiles = try await request.knownSpeakers.profiles()
            return speakers
        }

        private func admitted() async throws -> AdmissionTicket {
            do { return try await server.admission.admitFile() } catch let error as ServerError {
                server.metrics.add(.refused, labels: ["kind": "file"])
                throw error
            }
        }

        /// The options that the model can take, with the language as it knows it: `en` for `en-US`.
        private func options(for model: SpeechModelInformation) throws(ServerError) -> TranscriptionOptions {
            var options = request.options.fitting(model)
            guard model.tasks.contains(options.task) else {
                throw .invalid(
                    "This model cannot \(options.task.rawValue). Use a multilingual one.", parameter: "model",
                    code: "unsupported_model")
            }
            options.language = LanguageCodes.language(options.language, among: model.languages)
            // Unlike a hint, it is part of the response.
            if let field = request.wordTimesField, !model.options.contains(.wordTimestamps) {
                throw .invalid(
                    "\(field): the model \(request.model ?? "in use") has no word times. Use another model.",
                    parameter: field, code: "unsupported_value")
            }
            return options
        }
    }
#endif
