public import Foundation
import StenoCore

/// A choice of the model to load.
///
///     let transcriber = try await Transcriber.load(.bundled)
///     let better = try await Transcriber.load(.named("large-v3"))
///     let own = try await Transcriber.load(.folder(url))
///
/// Nothing is downloaded: a name refers to a model on this machine.
public struct ModelChoice: Sendable, Hashable {
    private enum Kind: Hashable {
        case automatic
        case bundled
        case named(String)
        case folder(URL)
    }

    private let kind: Kind

    package var name: String? { if case .named(let name) = kind { name } else { nil } }

    /// The default model of this machine.
    ///
    /// This is the model that `$STENO_MODEL` or `$WHISPER_MODEL_PATH` names, otherwise an installed model called
    /// `default`, otherwise the bundled one.
    public static let automatic = ModelChoice(kind: .automatic)

    /// The model that comes with the program: Whisper base (product `StenoBundledModel` of this package), or Moonshine
    /// tiny if the program has only that one (`StenoBundledMoonshine`).
    public static let bundled = ModelChoice(kind: .bundled)

    /// A model by its name (`base`, `large-v3`, `Systran/faster-whisper-small`) or path.
    ///
    /// Steno looks in its models folders (`$STENO_MODELS`, then the user's data folder), in the program's own folders,
    /// in the cache of Hugging Face's tools, and last at the bundled models (`base`, `moonshine-tiny`). `auto` selects the best of them that this
    /// machine runs in real time; measuring takes a few seconds, once.
    public static func named(_ name: String) -> ModelChoice { ModelChoice(kind: .named(name)) }

    /// The model in a folder in CTranslate2 or Hugging Face format, or in a `ggml-*.bin` file of whisper.cpp.
    public static func folder(_ url: URL) -> ModelChoice { ModelChoice(kind: .folder(url)) }

    /// The names of the models on this machine, for ``named(_:)``.
    ///
    /// They come from Steno's models folders, the program's own folders, the cache of Hugging Face's tools, and the
    /// bundled models.
    public static var installed: [String] { ModelLocator().all().map(\.name) }

    /// - Throws: `StenoError.modelNotFound`, which says what to do.
    package func locate(_ locator: ModelLocator = ModelLocator()) throws -> LocatedModel {
        switch kind {
        case .automatic: return try locator.locate()
        case .named(let name): return try locator.locate(name)
        case .folder(let url): return LocatedModel(name: url.lastPathComponent, folder: url, origin: .path)
        case .bundled:
            guard let bundled = locator.bundled else { throw Self.notBundled }
            return bundled
        }
    }

    /// Measures the installed models if the choice depends on their speed and they have not been measured yet; blocks.
    package func measureIfNeeded(isCancelled: @escaping () -> Bool) throws {
        guard kind == .named(RealTimeModels.name) else { return }
        try RealTimeModels().measure(isCancelled: isCancelled)
    }

    private static var notBundled: StenoError {
        StenoError(
            .modelNotFound,
            "This program comes without a model. Add the product StenoBundledModel of the package steno to its target "
                + "(and ship \(BundledProduct.whisperBase.installedName) next to the program), or load another model: "
                + ".named(\"base\"), .folder(url).")
    }
}
