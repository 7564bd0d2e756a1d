import CSteno
import Foundation
import Steno
import StenoC
import StenoTestSupport
import Testing

@Suite struct ModelTests {
    /// A JSON object that the library gave.
    private static func object(_ text: UnsafeMutablePointer<CChar>?) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(try taken(text).utf8)) as? [String: Any])
    }

    @Test func aModelDescribesItselfAndItsTokens() async throws {
        #expect(stenoVersion().map { String(cString: $0) } == StenoVersion.current)
        try await withModel { model in
            var text: UnsafeMutablePointer<CChar>?
            #expect(stenoModelInformation(model.pointer, &text) == STENO_OK)
            let fields = try Self.object(text)
            #expect(fields["family"] as? String == "Whisper")
            #expect((fields["languages"] as? [String])?.contains("en") == true)
            #expect((fields["specialTokens"] as? [String: Int])?["<|en|>"] != nil)
            #expect(stenoModels(&text) == STENO_OK)
            let known = try #require(try Self.object(text)["known"] as? [[String: Any]])
            #expect(known.contains { $0["name"] as? String == "large-v3" })

            var tokens: UnsafeMutablePointer<Int32>?
            var count = 0
            #expect(stenoModelEncode(model.pointer, " Hello, über", &tokens, &count) == STENO_OK)
            defer { stenoFree(tokens) }
            #expect(stenoModelDecode(model.pointer, tokens, count, &text) == STENO_OK)
            let decoded = try taken(text)
            #expect(decoded == " Hello, über")
        }
    }

    @Test func filesAreDecodedByChannel() async throws {
        try await onThread {
            let path = Fixtures.file("speech/talk.flac").path
            let expected = try talk()
            var samples: UnsafeMutablePointer<Float>?
            var (count, channels) = (0, Int32(-1))
            #expect(stenoDecodeFile(path, -1, &samples, &count, &channels) == STENO_OK)
            #expect(Array(UnsafeBufferPointer(start: samples, count: count)) == expected)
            #expect(channels == 0)
            stenoFree(samples)
            #expect(stenoDecodeFile(path, 0, &samples, &count, &channels) == STENO_OK)
            #expect(channels == 1)
            stenoFree(samples)
            #expect(stenoDecodeFile("/no/such/file", -1, &samples, &count, nil) == STENO_ERROR_AUDIO_NOT_FOUND)
        }
    }

    @Test func speechIsFound() async throws {
        try await onThread {
            let speech = try talk()
            var spans: UnsafeMutablePointer<steno_span>?
            var count = 0
            #expect(stenoFindSpeech(speech, speech.count, #"{"minSilenceSeconds": 0.1}"#, &spans, &count) == STENO_OK)
            defer { stenoFree(spans) }
            let found = UnsafeBufferPointer(start: spans, count: count)
            #expect(!found.isEmpty)
            #expect(found.allSatisfy { $0.start < $0.end && $0.end <= speech.count })
            #expect(
                stenoFindSpeech(speech, speech.count, #"{"threshold": 2}"#, &spans, &count)
                    == STENO_ERROR_INVALID_OPTION)
        }
    }

    @Test func theLanguageIsDetected() async throws {
        try await withModel { model in
            let speech = try talk()
            var pointer: OpaquePointer?
            #expect(stenoDetectLanguage(model.pointer, speech, speech.count, nil, &pointer) == STENO_OK)
            let job = try Handle(pointer, free: stenoJobFree)
            var event: UnsafePointer<steno_event>?
            #expect(stenoJobNext(job.pointer, -1, &event) == STENO_OK)
            let detection = try #require(event?.pointee)
            let languages = UnsafeBufferPointer(start: detection.languages, count: detection.language_count)
            #expect(languages.first?.probability == detection.probability)
            #expect(zip(languages, languages.dropFirst()).allSatisfy { $0.probability >= $1.probability })
            #expect(stenoJobNext(job.pointer, -1, &event) == STENO_END)
        }
    }
}

/// Transcriptions through the functions of `steno.h`.
@Suite struct JobTests {
    @Test func eventsComeInOrderAndEnd() async throws {
        try await withModel { model in
            let job = try Handle.job(model, try talk(), options: #"{"wordTimestamps": true, "language": "en"}"#)
            var kinds: [Int32] = []
            var event: UnsafePointer<steno_event>?
            var words = 0
            var status = stenoJobNext(job.pointer, -1, &event)
            while status == STENO_OK, let current = event?.pointee {
                if current.kind != STENO_EVENT_PROGRESS, current.kind != kinds.last { kinds.append(current.kind) }
                if let segment = current.segment?.pointee {
                    words += segment.word_count
                    #expect(segment.whisper?.pointee.token_count ?? 0 > 0)
                }
                status = stenoJobNext(job.pointer, -1, &event)
            }
            #expect(status == STENO_END && event == nil && words > 0)
            #expect(kinds.first == Int32(STENO_EVENT_LANGUAGE) && kinds.last == Int32(STENO_EVENT_FINISHED))
            #expect(stenoJobNext(job.pointer, -1, &event) == STENO_END)
        }
    }

    @Test func theTextIsThatOfTheLibrary() async throws {
        let transcriber = try await Transcriber.load(.folder(Fixtures.nano))
        let expected = try await transcriber.transcribe(samples: try talk())
        try await withJob { job in
            #expect(stenoJobRun(job.pointer, nil, nil) == STENO_OK)
            for format in ["txt", "json", "srt"] {
                var text: UnsafeMutablePointer<CChar>?
                #expect(stenoJobText(job.pointer, format, &text) == STENO_OK)
                let written = try taken(text)
                #expect(written == TranscriptFormat(rawValue: format)?.text(of: expected))
            }
        }
    }

    @Test func jobsThatFailSayWhy() async throws {
        try await withJob { job in
            var text: UnsafeMutablePointer<CChar>?
            #expect(stenoJobText(job.pointer, "txt", &text) == STENO_ERROR_WRONG_STATE, "before the end")
            #expect(text == nil)
            // A callback that returns false cancels.
            #expect(stenoJobRun(job.pointer, { _, _ in false }, nil) == STENO_ERROR_CANCELLED)
            #expect(lastError == "The work was cancelled.")
        }
        try await withModel { model in
            var pointer: OpaquePointer?
            #expect(stenoTranscribeFile(model.pointer, "/no/such/talk.wav", nil, &pointer) == STENO_OK)
            let job = try Handle(pointer, free: stenoJobFree)
            #expect(stenoJobRun(job.pointer, nil, nil) == STENO_ERROR_AUDIO_NOT_FOUND)
            #expect(lastError.contains("There is no file"))
        }
    }

    /// It would free the event that the function has.
    @Test func aCallbackCannotReadTheJob() async throws {
        try await withJob { job in
            let status = stenoJobRun(
                job.pointer,
                { _, job in
                    let job = job.map { OpaquePointer($0) }
                    var event: UnsafePointer<steno_event>?
                    #expect(stenoJobNext(job, 0, &event) == STENO_ERROR_WRONG_STATE && event == nil)
                    #expect(lastError.contains("steno_job_run"))
                    #expect(stenoJobRun(job, nil, nil) == STENO_ERROR_WRONG_STATE)
                    return true
                }, UnsafeMutableRawPointer(job.pointer))
            #expect(status == STENO_OK)
            var event: UnsafePointer<steno_event>?
            #expect(stenoJobNext(job.pointer, 0, &event) == STENO_END)
        }
    }

    @Test func aCancelledJobGivesItsReaderAnError() async throws {
        try await withJob { job in
            stenoJobCancel(job.pointer)
            var event: UnsafePointer<steno_event>?
            #expect(stenoJobNext(job.pointer, -1, &event) == STENO_ERROR_CANCELLED)
        }
    }

    @Test func theModelMayBeFreedFirst() async throws {
        try await onThread {
            var model: Handle? = try Handle.nano()
            let job = try Handle.job(try #require(model), try talk())
            model = nil
            #expect(stenoJobRun(job.pointer, nil, nil) == STENO_OK)
        }
    }
}
