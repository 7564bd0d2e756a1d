import CSteno
import Foundation
import StenoC
import StenoTestSupport
import Testing

/// Wrong arguments give a status and a sentence, and no handle.
@Suite struct ArgumentTests {
    @Test(arguments: [
        ("[]", "The options are not a JSON object."),
        ("{", "The options are not a JSON object."),
        (#"{"lang": "en"}"#, "There is no option “lang”. Use one of batchSize, clips, language"),
        (#"{"whisper": {"beam": 1}}"#, "There is no option “beam”. Use one of appendedPunctuation"),
        (#"{"whisper": {"voiceActivity": {"pad": 1}}}"#, "There is no option “pad”. Use one of detector"),
        (#"{"whisper": {"guards": {"no": 1}}}"#, "There is no option “no”."),
        (#"{"task": "sing"}"#, "The option “task” has a wrong value"),
        (#"{"whisper": {"beamSize": "5"}}"#, "The option “whisper.beamSize” must be of the type Int."),
        (#"{"clips": [{"start": 5, "end": 1}]}"#, "A clip ends"),
    ])
    func optionsAreChecked(_ options: String, sentence: String) async throws {
        try await onThread {
            let model = try Handle.nano()
            var job: OpaquePointer?
            #expect(
                stenoTranscribeSamples(model.pointer, [0], 1, 16_000, 1, options, &job) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError.contains(sentence))
            #expect(job == nil)
        }
    }

    @Test func everyDefaultOptionIsKnown() async throws {
        try await onThread {
            let model = try Handle.nano()
            let options =
                #"{"whisper": {"voiceActivity": {"maxSpeechSeconds": 20}, "guards": {}}, "speakers": {"count": 1}}"#
            var job: OpaquePointer?
            #expect(stenoTranscribeSamples(model.pointer, [0], 1, 16_000, 1, options, &job) == STENO_OK)
            stenoJobFree(job)
        }
    }

    @Test func pointersAreChecked() async throws {
        try await onThread {
            var model: OpaquePointer?
            #expect(stenoModelLoad("x", nil, nil) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError == "The argument model is NULL. Pass a valid pointer.")
            #expect(stenoTranscribeFile(nil, "x", nil, &model) == STENO_ERROR_INVALID_OPTION)
            #expect(stenoJobNext(nil, 0, nil) == STENO_ERROR_INVALID_OPTION)
            #expect(stenoLivePush(nil, nil, 0) == STENO_ERROR_INVALID_OPTION)
            for free in [stenoModelFree, stenoJobFree, stenoLiveFree] { free(nil) }
            stenoFree(nil)
        }
    }

    @Test func modelsThatDoNotExistAreReported() async throws {
        try await onThread {
            var model: OpaquePointer?
            #expect(stenoModelLoad("no-such-model", nil, &model) == STENO_ERROR_MODEL_NOT_FOUND)
            #expect(stenoModelLoad(Fixtures.nano.path, #"{"precision": "int3"}"#, &model) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError.contains("Use one of automatic, float32, int8."))
            #expect(model == nil)
        }
    }

    @Test func samplesMustBeNumbers() async throws {
        try await onThread {
            let model = try Handle.nano()
            var job: OpaquePointer?
            let status = stenoTranscribeSamples(model.pointer, [.nan], 1, 16_000, 1, nil, &job)
            #expect(status == STENO_ERROR_INVALID_OPTION)
            #expect(stenoTranscribeSamples(model.pointer, [0], 1, 16_000, 0, nil, &job) == STENO_ERROR_INVALID_OPTION)
            #expect(stenoTranscribeSamples(model.pointer, [0], 1, 1, 1, nil, &job) == STENO_ERROR_INVALID_OPTION)
        }
    }
}
