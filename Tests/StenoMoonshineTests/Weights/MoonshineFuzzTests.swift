#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    /// Moonshine folders in which one file has a few wrong bytes: an error or a model, never a crash, a hang, or memory
    /// beyond reason.
    ///
    /// Each subject has its own process, so that only its memory is measured; `make fuzz` damages ten thousand files of
    /// each.
    struct MoonshineFuzzTests {
        static var count: Int {
            let wanted = ProcessInfo.processInfo.environment["STENO_FUZZ_COUNT"].flatMap { Int($0) }
            return wanted ?? (isRelease ? 300 : 20)
        }

        @Test(arguments: ["moonshine-model.safetensors", "moonshine-config.json", "moonshine-tokenizer.json"])
        func damagedFiles(subject: String) throws {
            let report = try BuiltTool.report([subject, "\(Self.count)"])
            print("fuzz \(subject): \(report.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: ", "))")
            #expect(report["faults"] == 0)
            let errors = report.filter { $0.key.hasPrefix("error-") }.reduce(0) { $0 + $1.value }
            let decoded = try #require(report["decoded"])
            #expect(decoded + errors == Self.count)
            // Without both, the mutations would be too wild or too tame.
            #expect(errors > 0)
            #expect(decoded > 0 || Self.count < 100)
            if report["instrumented"] == 0 { #expect(try #require(report["peak"]) < 120 << 20) }
        }
    }
#endif
