#if Server
    import Foundation
    import Steno
    import StenoCore

    /// The voices that a client names, each with a recording, to recognise in the transcribed audio.
    struct KnownSpeakers: Sendable {
        static let namesField = "known_speaker_names"
        static let recordingsField = "known_speaker_references"
        /// Recordings are sent in base64 within the form: ten seconds of 48 kHz stereo WAV are 2.6 MB.
        static let recordingLimit = UploadedForm.FieldLimit(each: 3 << 20, all: 4 * (3 << 20))
        /// The bytes that the recordings of all requests may take, because waiting requests hold theirs, too.
        static let memoryLimit = 256 << 20

        private static let (most, longestName) = (4, 100)
        /// The least speech and the most audio that is read, in seconds; OpenAI's recordings have 2 to 10, pauses
        /// included.
        private static let (leastSpeech, longest) = (1.0, 30.0)

        let names: [String]
        private let recordings: [Data]
        /// The share of the memory budget that the recordings hold.
        private let room: UploadShare?

        /// - Throws: ``ServerError`` that names the field.
        init(_ form: UploadedForm, _ format: ResponseFormat) throws(ServerError) {
            room = form.room
            names = (form.values[Self.namesField] ?? []).map(\.trimmingWhitespace).filter { !$0.isEmpty }
            let references = (form.values[Self.recordingsField] ?? []).filter { !$0.isEmpty }
            recordings = try references.map { text throws(ServerError) in try Self.data(text) }
            guard !names.isEmpty || !recordings.isEmpty else { return }
            guard format == .diarizedJSON else {
                throw ServerError.invalidValue("Speakers are in the format diarized_json only.", Self.namesField)
            }
            guard names.count == recordings.count else {
                throw ServerError.invalidValue(
                    "There must be one recording for each name; there are \(names.count) names and "
                        + "\(recordings.count) recordings.", Self.recordingsField)
            }
            guard names.count <= Self.most, Set(names).count == names.count,
                names.allSatisfy({ $0.count <= Self.longestName })
            else {
                throw ServerError.invalidValue(
                    "There may be up to \(Self.most) names, each given once and of at most \(Self.longestName) "
                        + "characters.", Self.namesField)
            }
        }

        /// - Throws: ``ServerError`` for a recording that cannot be read or has too little speech; `CancellationError`.
        func profiles() async throws -> [SpeakerProfile] {
            var profiles: [SpeakerProfile] = []
            for (name, recording) in zip(names, recordings) {
                do {
                    profiles.append(
                        try await SpeakerEnrollment.profile(
                            name, from: [{ try AudioFile.open(data: recording) }], leastSpeech: Self.leastSpeech,
                            longest: Self.longest))
                } catch let error as StenoError where Self.clientErrors.contains(error.code) {
                    throw ServerError.invalidValue(
                        "The voice of \(name) cannot be learned. \(error.message)", Self.recordingsField)
                }
            }
            return profiles
        }

        /// An error in a recording; any other error is the server's fault.
        private static let clientErrors: [StenoError.Code] = [
            .invalidOption, .notAudio, .audioDamaged, .audioEmpty, .audioUnreadable, .audioTruncated, .decoderMissing,
        ]

        /// The bytes of a data URL, `data:audio/wav;base64,…`.
        private static func data(_ text: String) throws(ServerError) -> Data {
            guard text.hasPrefix("data:"), let comma = text.firstIndex(of: ","), text[..<comma].hasSuffix(";base64"),
                let data = Data(base64Encoded: String(text[comma...].dropFirst())), !data.isEmpty
            else {
                throw .invalidValue(
                    "A recording must be a data URL in base64: data:audio/wav;base64,…", recordingsField)
            }
            return data
        }
    }
#endif
