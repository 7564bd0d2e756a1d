import Foundation
import StenoTestSupport

/// Where the models are that the engine is tested with.
enum EngineModels {
    /// The Whisper base that the package carries.
    static let bundledBase = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/StenoBundledModel/Resources/whisper-base")

    /// Whisper base as it was published, if the environment names its folder.
    static let originalBase = ProcessInfo.processInfo.environment["STENO_BASE_ORIGINAL"].map {
        URL(fileURLWithPath: $0)
    }
}

/// Whether the tests are built with optimisation: C without it is a hundred times slower.
let isRelease: Bool = {
    #if DEBUG
        false
    #else
        true
    #endif
}()
