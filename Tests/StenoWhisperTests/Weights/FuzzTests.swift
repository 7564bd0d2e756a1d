#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    /// Model files with a few wrong bytes: an error or a model, never a crash, a hang, or memory beyond reason.
    ///
    /// Each subject has its own process, so that only its memory is measured.
    /// `STENO_FUZZ_COUNT=10000 swift test -c release --filter FuzzTests` takes longer.
    struct FuzzTests {
        @Test(arguments: [
            "model-float32", "model-int8", "aliases", "config.json", "vocabulary.json", "vocabulary.txt",
            "tokenizer.json", "ggml", "model.safetensors", "model.safetensors.index.json", "hf-config.json",
            "generation_config.json", "vocab.json",
        ])
        func damagedFiles(subject: String) throws {
            // In float32, the 5.5-bit numbers of a GGML file take six times as much.
            let factor = subject == "ggml" ? 8 : 3
            let problems = try DamagedFiles.problems(of: subject) { file in factor * file + 50 << 20 }
            #expect(problems == [])
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
