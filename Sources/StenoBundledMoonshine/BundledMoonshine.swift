public import Foundation
import StenoCore

/// Useful Sensors' Moonshine tiny (English, MIT) in int8, for programs that need a small and fast model.
///
/// Just link this product: `Transcriber.load(.named("moonshine-tiny"))` then finds the model.
public enum BundledMoonshine {
    /// The folder of the model, in Hugging Face format.
    ///
    /// - Throws: `StenoError.resourceMissing` if the resources were not installed with the program; the message says
    ///   which folder to ship.
    public static var folder: URL {
        get throws { try BundledProduct.moonshineTiny.resource("moonshine-tiny", of: Anchor.self) }
    }

    /// Whether the model was installed with the program.
    public static var isInstalled: Bool { BundledProduct.moonshineTiny.model(of: Anchor.self) != nil }

    /// On Apple platforms, bundles are found through a class linked into them.
    private final class Anchor {}
}
