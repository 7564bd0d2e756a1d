#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    /// Model files with a few wrong bytes: an error or a model, never a crash, a hang, or memory beyond reason.
    ///
    /// Each subject has its own process, so that only its memory is measured.
    /// `STENO_FUZZ_COUNT=10000 swift test -c release --filter FuzzTests` takes longer.
    struct FuzzTests {
        static var count: Int {
            let wanted = ProcessInfo.processInfo.environment["STENO_FUZZ_COUNT"].flatMap { Int($0) }
            return wanted ?? (isRelease ? 300 : 20)
        }

        @Test(arguments: [
            "model-float32", "model-int8", "aliases", "config.json", "vocabulary.json", "vocabulary.txt",
            "tokenizer.json", "ggml", "model.safetensors", "model.safetensors.index.json", "hf-config.json",
            "generation_config.json", "vocab.json",
        ])
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
            if report["instrumented"] == 0 {
                // In float32, the 5.5-bit numbers of a GGML file take six times as much.
                let factor = subject == "ggml" ? 8 : 3
                #expect(try #require(report["peak"]) < factor * #require(report["file"]) + 50 << 20)
            }
        }

        /// A few megabytes at most, since the file's pages are released once read.
        @Test func loadingTakesLittleMoreMemoryThanTheWeights() throws {
            let folder = try TemporaryFolder()
            try RandomModel(.micro).writeCTranslate2(to: folder.url)
            let report = try BuiltTool.report(["load", folder.url.path])
            if report["instrumented"] == 0 {
                // The vocabulary of 51,865 tokens and one read; the largest tensor alone is 13 MB.
                #expect(try #require(report["growth"]) < #require(report["weights"]) + 16 << 20)
            }
        }
    }
#endif
