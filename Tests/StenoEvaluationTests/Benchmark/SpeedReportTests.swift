import Foundation
import Testing

@testable import StenoEvaluation
@_spi(Benchmarks) @testable import StenoEvaluation

@Suite struct SpeedReportTests {
    private var report: SpeedReport {
        var report = SpeedReport.empty()
        for encode in [204.4, 190, 201.0004] { report.add([.encode: encode, .greedyToken: encode / 100]) }
        for milliseconds in [500.0, 400, 600] { report.add([.audio: milliseconds]) }
        (report.audioName, report.audioSeconds) = ("talk.wav", 10)
        return report
    }

    @Test func theJSONIsFlat() throws {
        let object = try #require(JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        #expect(object["encode_ms"] as? Double == 201)
        #expect(object["encode_ms_min"] as? Double == 190)
        #expect(object["encode_ms_max"] as? Double == 204.4)
        #expect(object["greedy_token_ms"] as? Double == 2.01)
        #expect(object["threads"] as? Int == 2)
        #expect(object["precision"] as? String == "int8")
        #expect(object["isa"] as? String == "avx2")
        #expect(object["real_time_factor"] as? Double == 0.05)
        #expect(object["cold_start_ms"] == nil)
        #expect(object.values.allSatisfy { $0 is NSNumber || $0 is String })
    }

    @Test func theTableHasMediansAndSpread() {
        #expect(
            report.table == """
                base, int8, 2 threads, avx2; medians of 3 runs

                encoder, 30 s           201 ms  (190–204)
                greedy, per token      2.01 ms  (1.90–2.04)
                talk.wav, 10.0 s        500 ms  (400–600)  20.0 times as fast as speech

                """)
    }

    @Test func oneRunHasNoSpread() {
        var report = SpeedReport.empty(runs: 1)
        report.add([.peakMemory: 99.96])
        #expect(report.table == "base, int8, 2 threads, avx2; one run\n\npeak memory, one window     100.0 MB\n")
    }
}
