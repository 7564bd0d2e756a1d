import CSteno
import Foundation
import Steno
import StenoC
import StenoTestSupport
import Testing

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
            #expect(status == STENO_END)
            #expect(event == nil)
            #expect(kinds.first == Int32(STENO_EVENT_LANGUAGE))
            #expect(kinds.last == Int32(STENO_EVENT_FINISHED))
            #expect(words > 0)
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

    @Test func aCallbackThatReturnsFalseCancels() async throws {
        try await withJob { job in
            #expect(stenoJobRun(job.pointer, { _, _ in false }, nil) == STENO_ERROR_CANCELLED)
            #expect(lastError == "The work was cancelled.")
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

    @Test func thereIsNoTranscriptBeforeTheEnd() async throws {
        try await withJob { job in
            var text: UnsafeMutablePointer<CChar>?
            #expect(stenoJobText(job.pointer, "txt", &text) == STENO_ERROR_WRONG_STATE)
            #expect(text == nil)
        }
    }

    @Test func aMissingFileIsAnErrorOfTheJob() async throws {
        try await withModel { model in
            var pointer: OpaquePointer?
            #expect(stenoTranscribeFile(model.pointer, "/no/such/talk.wav", nil, &pointer) == STENO_OK)
            let job = try Handle(pointer, free: stenoJobFree)
            #expect(stenoJobRun(job.pointer, nil, nil) == STENO_ERROR_AUDIO_NOT_FOUND)
            #expect(lastError.contains("There is no file"))
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
