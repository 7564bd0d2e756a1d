#if os(Linux) || os(macOS)
    import StenoTestSupport
    import Testing

    /// `.nemo` and GGUF files with a few wrong bytes: an error or a model, never a crash, a hang, or memory beyond reason.
    ///
    /// Each subject has its own process, so that only its memory is measured; `make fuzz` damages ten thousand files of
    /// each.
    struct NeMoFuzzTests {
        @Test(arguments: [
            "nemo-archive", "model_config.yaml", "tokenizer.model", "nemo-zip", "data.pkl", "nemo", "nemo-gzip",
            "parakeet-gguf",
        ])
        func damagedFiles(subject: String) throws {
            let problems = try DamagedFiles.problems(of: subject) { _ in 120 << 20 }
            #expect(problems == [])
        }
    }
#endif
