public import Foundation

/// Whether the tests are built with optimisation: C without it is a hundred times slower.
public let isRelease: Bool = {
    #if DEBUG
        false
    #else
        true
    #endif
}()

/// Whether what a test needs beyond Swift must be there (`STENO_CI`); elsewhere a test without it skips and says so.
public let mustRun = ProcessInfo.processInfo.environment["STENO_CI"] != nil

/// Whether there is time for what takes minutes (`STENO_LONG`).
public let isLong = ProcessInfo.processInfo.environment["STENO_LONG"] != nil

/// Whisper base as it was published, if the environment names its folder (`STENO_BASE_ORIGINAL`).
public let originalBase = ProcessInfo.processInfo.environment["STENO_BASE_ORIGINAL"].map { URL(fileURLWithPath: $0) }
