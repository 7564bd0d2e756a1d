import CSteno
import Foundation
import StenoC
import StenoTestSupport
import Testing

/// Wrong arguments give a status and a sentence, and no handle.
@Suite struct ArgumentTests {
    private static let wrongOptions = [
        ("[]", "The options are not a JSON object."), ("{", "The options are not a JSON object."),
        (#"{"lang": "en"}"#, "There is no option “lang”. Use one of batchSize, clips, language"),
        (#"{"whisper": {"beam": 1}}"#, "There is no option “beam”. Use one of appendedPunctuation"),
        (#"{"whisper": {"voiceActivity": {"pad": 1}}}"#, "There is no option “pad”. Use one of detector"),
        (#"{"whisper": {"guards": {"no": 1}}}"#, "There is no option “no”."),
        (#"{"task": "sing"}"#, "The option “task” has a wrong value"),
        (#"{"whisper": {"beamSize": "5"}}"#, "The option “whisper.beamSize” must be of the type Int."),
        (#"{"clips": [{"start": 5, "end": 1}]}"#, "A clip ends"),
        (#"{"batchSize": 1e300}"#, "The option “batchSize” is too large: 1e+300."),
        (#"{"speakers": {"count": 2.5}}"#, "The option “speakers.count” must be a whole number, not 2.5."),
        (#"{"whisper": {"temperatures": [0.2], "beamSize": 1.5}}"#, "“whisper.beamSize” must be a whole number"),
        (#"{"whisper": {"temperatures": [1e999]}}"#, "The options are not a JSON object."),
    ]

    @Test func optionsAndSamplesAreChecked() async throws {
        try await withModel { model in
            func status(
                _ options: String?, _ samples: [Float] = [0], frames: Int = 1, rate: Int32 = 16_000, channels: Int32 = 1
            ) -> Int32 {
                var job: OpaquePointer?
                defer { stenoJobFree(job) }
                let status = stenoTranscribeSamples(model.pointer, samples, frames, rate, channels, options, &job)
                #expect((job == nil) == (status != STENO_OK))
                return status
            }
            for (options, sentence) in Self.wrongOptions {
                #expect(status(options) == STENO_ERROR_INVALID_OPTION, "\(options)")
                #expect(lastError.contains(sentence), "\(options)")
            }
            let right =
                #"{"whisper": {"voiceActivity": {"maxSpeechSeconds": 20}, "guards": {}}, "speakers": {"count": 1}}"#
            #expect(status(right) == STENO_OK && status(nil, [.nan]) == STENO_ERROR_INVALID_OPTION)
            #expect(status(nil, channels: 0) == STENO_ERROR_INVALID_OPTION)
            #expect(status(nil, rate: 1) == STENO_ERROR_INVALID_OPTION)
            #expect(status(nil, frames: 1 << 60, channels: 256) == STENO_ERROR_INVALID_OPTION, "their product")
        }
    }

    @Test func pointersAndModelsAreChecked() async throws {
        try await onThread {
            var model: OpaquePointer?
            #expect(stenoModelLoad("x", nil, nil) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError == "The argument model is NULL. Pass a valid pointer.")
            #expect(stenoTranscribeFile(nil, "x", nil, &model) == STENO_ERROR_INVALID_OPTION)
            #expect(stenoJobNext(nil, 0, nil) == STENO_ERROR_INVALID_OPTION)
            #expect(stenoLivePush(nil, nil, 0) == STENO_ERROR_INVALID_OPTION)
            for free in [stenoModelFree, stenoJobFree, stenoLiveFree] { free(nil) }
            stenoFree(nil)
            #expect(stenoModelLoad("no-such-model", nil, &model) == STENO_ERROR_MODEL_NOT_FOUND)
            #expect(stenoModelLoad(Fixtures.nano.path, #"{"precision": "int3"}"#, &model) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError.contains("Use one of automatic, float32, int8."))
            #expect(model == nil)
        }
    }

    /// An empty path would mean the current folder.
    @Test func namesMustNotBeEmpty() async throws {
        try await withModel { model in
            var (handle, samples): (OpaquePointer?, UnsafeMutablePointer<Float>?)
            var count = 0
            #expect(stenoModelLoad("", nil, &handle) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError == "The argument name is empty. Pass a name or a path, or NULL for the default model.")
            #expect(stenoTranscribeFile(model.pointer, "", nil, &handle) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError == "The argument path is empty. Pass the path of a file.")
            #expect(stenoDecodeFile("", -1, &samples, &count, nil) == STENO_ERROR_INVALID_OPTION)
            #expect(handle == nil && samples == nil)
        }
    }

    /// Such as −1 of a function that failed.
    @Test func countsMustBePossible() async throws {
        try await withModel { model in
            var (job, text): (OpaquePointer?, UnsafeMutablePointer<CChar>?)
            var (samples, spans): (UnsafeMutablePointer<Float>?, UnsafeMutablePointer<steno_span>?)
            var found = 0
            func expectRefused(_ status: Int32, _ name: String = "count") {
                #expect(status == STENO_ERROR_INVALID_OPTION)
                #expect(lastError.hasPrefix("The argument \(name) is impossible"), "\(lastError)")
            }
            for count in [-1, -5, Int.min, Int.max, Int.max / 4 + 1] {
                for channels in [1, 4] as [Int32] {
                    let status = stenoTranscribeSamples(model.pointer, [0], count, 16_000, channels, nil, &job)
                    expectRefused(status, "frames")
                }
                expectRefused(stenoDetectLanguage(model.pointer, [0], count, nil, &job))
                expectRefused(stenoFindSpeech([0], count, nil, &spans, &found))
                expectRefused(stenoModelDecode(model.pointer, [0], count, &text))
                // A byte can be counted up to the end of the memory, which nobody has.
                guard count < 0 || count == .max else { continue }
                expectRefused(stenoTranscribeData(model.pointer, [UInt8(0)], count, nil, &job))
                expectRefused(stenoDecodeData([UInt8(0)], count, &samples, &found))
            }
            #expect(job == nil && text == nil && samples == nil && spans == nil)
        }
    }

    @Test func missingArraysAreReported() async throws {
        try await withModel { model in
            var (text, spans): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<steno_span>?)
            var found = 0
            #expect(stenoFindSpeech(nil, 100, nil, &spans, &found) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError.contains("samples is NULL"))
            #expect(stenoModelDecode(model.pointer, nil, 5, &text) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError.contains("tokens is NULL"))
            #expect(stenoModelDecode(model.pointer, nil, 0, &text) == STENO_OK)
            let rest = try taken(text)
            #expect(rest.isEmpty)
            #expect(stenoFindSpeech(nil, 0, nil, &spans, &found) == STENO_OK && found == 0)
            stenoFree(spans)
        }
    }
}
