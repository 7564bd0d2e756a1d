package import Foundation

/// Whether everything a test needs must be available (`STENO_CI`); otherwise such tests are skipped with a message.
package let mustRun = ProcessInfo.processInfo.environment["STENO_CI"] != nil

/// The options of the sanitizers, for programs that a test starts with an environment of their own.
package let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
}

/// Whether to run tests that take minutes (`STENO_LONG`).
package let isLong = ProcessInfo.processInfo.environment["STENO_LONG"] != nil

/// The seeds of a test of random cases: the first of them, and all with `STENO_LONG`, so that every change tries some and every release all.
package func seeds(_ all: Int) -> Range<UInt64> { 0..<UInt64(isLong ? all : max(4, all / 10)) }

/// The sizes of a test that tries many of two kinds: every third of them from one on, and all with `STENO_LONG`.
package func sizes(_ all: [Int], from first: Int) -> [Int] {
    isLong ? all : all.indices.filter { $0 % 3 == first % 3 }.map { all[$0] }
}

/// Whisper base as published, if the environment names its folder (`STENO_BASE_ORIGINAL`).
package let originalBase = ProcessInfo.processInfo.environment["STENO_BASE_ORIGINAL"].map { URL(fileURLWithPath: $0) }

/// The speaker networks as published, if the environment names their folder (`STENO_SPEAKER_NETWORKS`):
/// `segmentation.safetensors` and `campplus.safetensors`.
package let speakerNetworks = ProcessInfo.processInfo.environment["STENO_SPEAKER_NETWORKS"].map {
    URL(fileURLWithPath: $0)
}
