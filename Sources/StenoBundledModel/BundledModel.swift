public import Foundation
import StenoCore

/// OpenAI's Whisper base (MIT) in int8, bundled with the package, so that the first command works offline.
///
/// Just link this product: `Transcriber.load(.bundled)` then finds the model.
public enum BundledModel {
    /// The folder of the model, in CTranslate2 format.
    ///
    /// - Throws: `StenoError.resourceMissing` if the resources were not installed with the program; the message says
    ///   which folder to ship.
    public static var folder: URL {
        get throws { try BundledProduct.whisperBase.resource("whisper-base", of: Anchor.self) }
    }

    /// The folder with sample recordings.
    ///
    /// - Throws: As ``folder`` does.
    public static var samples: URL {
        get throws { try BundledProduct.whisperBase.resource("samples", of: Anchor.self) }
    }

    /// Whether the model was installed with the program.
    public static var isInstalled: Bool { BundledProduct.whisperBase.model(of: Anchor.self) != nil }

    /// On Apple platforms, bundles are found through a class linked into them.
    private final class Anchor {}
}
