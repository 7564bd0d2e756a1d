import Foundation
import StenoTestSupport

/// The locations of the models for the engine's tests.
enum EngineModels {
    /// The bundled Whisper base.
    static let bundledBase = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/StenoBundledModel/Resources/whisper-base")
}
