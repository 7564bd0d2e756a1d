import Foundation
import StenoTestSupport

/// Where the models are that the engine is tested with.
enum EngineModels {
    /// The Whisper base that the package carries.
    static let bundledBase = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/StenoBundledModel/Resources/whisper-base")
}
