package import Foundation

/// The user's folders, where programs keep what they make: those of the XDG specification, except that Apple systems
/// have Application Support for data and state.
package struct UserFolders: Sendable {
    private let environment: [String: String]
    private let home: URL

    /// - Parameter home: nil for `$HOME`, or without it the home folder of the user.
    package init(_ environment: [String: String] = ProcessInfo.processInfo.environment, home: URL? = nil) {
        self.environment = environment
        self.home = home ?? environment.path("HOME") ?? URL(fileURLWithPath: NSHomeDirectory())
    }

    /// What the user would miss: Application Support, or `$XDG_DATA_HOME` or `~/.local/share`.
    package var data: URL { folder("XDG_DATA_HOME", ".local/share") }

    /// What only this machine needs: Application Support, or `$XDG_STATE_HOME` or `~/.local/state`.
    package var state: URL { folder("XDG_STATE_HOME", ".local/state") }

    /// What can be downloaded again: `$XDG_CACHE_HOME` or `~/.cache`, on Apple systems too, as in Hugging Face's tools.
    package var cache: URL { environment.path("XDG_CACHE_HOME") ?? home.appendingPathComponent(".cache") }

    /// The folder of Hugging Face's tools: `$HF_HOME`, or `huggingface` in ``cache``.
    package var huggingFace: URL { environment.path("HF_HOME") ?? cache.appendingPathComponent("huggingface") }

    private func folder(_ variable: String, _ usual: String) -> URL {
        #if canImport(Darwin)
            home.appendingPathComponent("Library/Application Support")
        #else
            environment.path(variable) ?? home.appendingPathComponent(usual)
        #endif
    }
}

extension URL {
    /// Steno's own file or folder below one of the user's, such as `Steno/Models`; outside Apple systems in lower case.
    package func ofSteno(_ name: String) -> URL {
        #if canImport(Darwin)
            appendingPathComponent("Steno/\(name)")
        #else
            appendingPathComponent("steno/\(name.lowercased())")
        #endif
    }
}
