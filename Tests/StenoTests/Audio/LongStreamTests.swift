#if os(Linux) || os(macOS)
    import StenoTestSupport
    import Testing

    /// A long recording through a pipe.
    struct LongStreamTests {
        /// Ten seconds, or an hour with `make fuzz`: a process of its own does not grow after the first sixth.
        @Test func memoryStaysFlat() throws {
            let seconds = runsLongTests ? 3600 : 10
            let report = try BuiltTool.report(["stream", "\(seconds)"])
            #expect(report["samples"] == seconds * 16_000)
            if report["instrumented"] == 0 { #expect(try #require(report["growth"]) < 4 << 20, "\(report)") }
        }
    }
#endif
