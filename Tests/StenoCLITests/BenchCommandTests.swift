#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    /// `steno bench` as a process, on the smallest model; checks that figures are there, not their
    /// values.
    @Suite(.serialized) struct BenchCommandTests {
        private let tool = StenoTool()
        private let quick = ["--runs", "1", "--tokens", "3", "--model", Fixtures.nano.path, "--threads", "1"]

        @Test func jsonHasTheFiguresUnderFlatKeys() throws {
            let recording = Fixtures.file("sounds/norway.wav").path
            let result = try tool.start(["bench", "--json", "--audio", recording] + quick).wait()
            #expect(result.errors == "")
            let object = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
            for key in [
                "log_mel_ms", "encode_ms", "cross_ms", "prefill_ms", "greedy_token_ms", "beam5_step_ms", "load_ms",
                "cold_start_ms", "peak_rss_mb", "audio_ms", "real_time_factor",
            ] {
                #expect(try #require(object[key] as? Double, "\(key)") > 0)
            }
            #expect(object["threads"] as? Int == 1)
            #expect(object["tokens"] as? Int == 3)
            let (load, first) = (object["load_ms"] as? Double ?? 0, object["cold_start_ms"] as? Double ?? 0)
            #expect(load < first)
            // The weights are 17 MB.
            #expect(try #require(object["peak_rss_mb"] as? Double) > 17)
        }

        @Test func onlyTheRequestedFiguresAreMeasured() throws {
            let result = try tool.start(["bench", "--only", "start"] + quick).wait()
            #expect(result.code == 0)
            #expect(result.output.contains("nano, int8, 1 thread, "))
            #expect(result.output.contains("new process to first token"))
            #expect(!result.output.contains("encoder"))
        }

        @Test func aMissingFileIsReported() throws {
            let result = try tool.start(["bench", "--only", "audio", "--audio", "missing.wav"] + quick).wait()
            #expect(result.code == 1)
            #expect(result.errors.contains("missing.wav"))
        }
    }
#endif
