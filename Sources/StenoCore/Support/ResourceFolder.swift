package import Foundation

/// The folder of a target's resources, wherever the program was installed.
///
/// SwiftPM's own `Bundle.module` ends the process when the folder is absent, so that nobody can report what is missing;
/// here that is nil. Looked for beside the program (an installed command), among the app's resources (a bundle on
/// Apple's systems), and where the code was built.
package struct ResourceFolder {
    private let candidates: [URL]

    /// - Parameters:
    ///   - bundle: `Package_Target`, as SwiftPM names the folder.
    ///   - anchor: Any class of the target.
    ///   - directories: Where to look; the places of the running program unless a test says otherwise.
    package init(bundle: String, of anchor: AnyClass, directories: [URL]? = nil) {
        let places = directories ?? Self.places(of: anchor)
        candidates = places.flatMap { place in
            [
                place.appendingPathComponent(bundle + ".resources"),
                place.appendingPathComponent(bundle + ".bundle"),
                place.appendingPathComponent(bundle + ".bundle").appendingPathComponent("Contents/Resources"),
            ]
        }
    }

    /// A file or folder of the resources; nil when it was not installed.
    package func url(_ name: String) -> URL? {
        candidates.map { $0.appendingPathComponent(name) }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
    }

    private static func places(of anchor: AnyClass) -> [URL] {
        let code = Bundle(for: anchor)
        let all = [Bundle.main.resourceURL, Bundle.main.bundleURL, code.resourceURL, code.bundleURL]
        // Tests and plug-ins run from a bundle or executable beside the resources.
        let beside = [code.bundleURL.deletingLastPathComponent(), executableFolder]
        return (all + beside).compactMap { $0 }
    }

    /// Symbolic links followed: an installed command is one, and its resources stand beside what it points to.
    private static var executableFolder: URL? {
        Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    }
}
