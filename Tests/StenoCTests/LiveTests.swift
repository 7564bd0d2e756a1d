import CSteno
import Foundation
import Steno
import StenoC
import StenoTestSupport
import Testing

/// Live sessions through the functions of `steno.h`.
@Suite struct LiveTests {
    private static func start(_ model: Handle, options: String? = nil) throws -> Handle {
        var live: OpaquePointer?
        #expect(stenoLiveStart(model.pointer, 16_000, 1, options, &live) == STENO_OK)
        return try Handle(live, free: stenoLiveFree)
    }

    @Test func pushedAudioBecomesEventsThatEnd() async throws {
        try await onThread {
            let live = try Self.start(try Handle.nano(), options: #"{"language": "en"}"#)
            let speech = try AudioFile.open(Fixtures.file("speech/talk.flac")).allSamples()
            for start in stride(from: 0, to: speech.count, by: 8_000) {
                let block = Array(speech[start..<min(start + 8_000, speech.count)])
                #expect(stenoLiveWait(live.pointer, block.count) == STENO_OK)
                #expect(stenoLivePush(live.pointer, block, block.count) == STENO_OK)
            }
            stenoLiveFinish(live.pointer)
            var transcript = LiveTranscript()
            var line: UnsafePointer<CChar>?
            var status = stenoLiveNext(live.pointer, -1, &line)
            while status == STENO_OK, let text = line {
                transcript.apply(try TranscriptionEvent(jsonLine: String(cString: text)))
                status = stenoLiveNext(live.pointer, -1, &line)
            }
            #expect(status == STENO_END)
            #expect(!transcript.finals.isEmpty)
            #expect(transcript.state == .finished)
        }
    }

    @Test func aCancelledSessionGivesItsReaderAnError() async throws {
        try await onThread {
            let live = try Self.start(try Handle.nano())
            stenoLiveCancel(live.pointer)
            var line: UnsafePointer<CChar>?
            #expect(stenoLiveNext(live.pointer, -1, &line) == STENO_ERROR_CANCELLED)
            #expect(line == nil)
            #expect(stenoLiveWait(live.pointer, 8_000) == STENO_OK)
            #expect(stenoLivePush(live.pointer, [0], 1) == STENO_DROPPED)
        }
    }

    @Test func optionsAreChecked() async throws {
        try await onThread {
            let model = try Handle.nano()
            var live: OpaquePointer?
            #expect(stenoLiveStart(model.pointer, 16_000, 1, #"{"speed": 1}"#, &live) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError.contains("There is no option “speed”."))
            #expect(stenoLiveStart(model.pointer, 1, 1, nil, &live) == STENO_ERROR_INVALID_OPTION)
            #expect(live == nil)
        }
    }
}
