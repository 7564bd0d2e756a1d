import Foundation
import StenoBundledModel
import StenoModelStore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoWhisperKit

extension Recordings {
    /// Checks the first words of the recording, whatever the punctuation.
    static func expectWords(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let plain = text.lowercased().filter { $0.isLetter || $0 == " " }.split(separator: " ").joined(separator: " ")
        #expect(plain == "and so my fellow americans", sourceLocation: sourceLocation)
    }
}

/// Has one model, the bundled one, under every name.
struct BundledInstaller: ModelFinder {
    func folder(
        _ config: WhisperKitConfig, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> URL { try BundledModel.folder }
}

extension WhisperKit {
    /// The parts of a model that need not be loaded.
    convenience init(_ transcriber: Transcriber) {
        self.init(ModelSlot(folder: nil) { _ in (transcriber, nil) })
    }
}
