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

    /// A sentence that the nano model knows, which is enough where the model is not the point.
    static let sentence = Fixtures.file("sounds/norway.wav")

    static func expectSentence(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(text.contains("Have you ever been to Norway?"), "\(text)", sourceLocation: sourceLocation)
    }
}

extension ModelLocator {
    static var bundledAlone: ModelLocator {
        get throws {
            ModelLocator(
                bundled: LocatedModel(name: "base", folder: try BundledModel.folder, origin: .bundled),
                environment: [:], home: URL(fileURLWithPath: "/no/such/home"))
        }
    }
}

extension ModelFinder {
    /// Has the bundled model under every name.
    static var bundled: ModelFinder {
        get throws {
            ModelFinder(ModelSupply(locator: try ModelLocator.bundledAlone) { _, _ in try BundledModel.folder })
        }
    }
}

extension WhisperKit {
    /// Parts of a model without loading it.
    convenience init(_ transcriber: Transcriber) { self.init(ModelSlot(folder: nil) { _ in (transcriber, nil) }) }
}
