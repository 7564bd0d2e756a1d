public import Foundation

/// OpenAI's Whisper base (MIT) in int8, carried by the package so that the first command hears speech with no network.
public enum BundledModel {
    /// The folder of the model in CTranslate2's form.
    public static var folder: URL { resource("whisper-base") }

    /// The folder with sample recordings.
    public static var samples: URL { resource("samples") }

    /// Finds a resource beside the running program first, so that an installed command does not need the build folder.
    private static func resource(_ name: String) -> URL {
        let installed = Bundle.main.bundleURL
            .appendingPathComponent("Steno_StenoBundledModel.resources")
            .appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: installed.path) { return installed }
        return Bundle.module.bundleURL.appendingPathComponent(name)
    }
}
