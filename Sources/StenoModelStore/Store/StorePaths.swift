import Foundation

/// Where things are in a models folder.
///
///     MODELS/OWNER/NAME/…                 a model: its files, and the receipt `.steno-model.json`
///     MODELS/.steno/blobs/sha256-…        every file under the name of its content; the model's file is a second name
///                                         (a hard link) of it, so that equal files take their room once
///     MODELS/.steno/partial/OWNER--NAME/  a download that has not ended: the files as far as they are there
///     MODELS/.steno/locks/OWNER--NAME     locked by the process that downloads or removes the model
///
/// A hard link is a whole file wherever it is copied or moved to; a symbolic link would lead nowhere there.
struct StorePaths: Sendable {
    let root: URL

    private var own: URL { root.appendingPathComponent(".steno") }
    var blobs: URL { own.appendingPathComponent("blobs") }
    var partials: URL { own.appendingPathComponent("partial") }
    /// Folders on their way out.
    var trash: URL { own.appendingPathComponent("trash") }

    func model(_ folder: String) -> URL { root.appendingPathComponent(folder, isDirectory: true) }
    func partial(_ folder: String) -> URL { partials.appendingPathComponent(Self.flat(folder)) }
    func lock(_ folder: String) -> URL { own.appendingPathComponent("locks").appendingPathComponent(Self.flat(folder)) }
    func blob(_ digest: Digest) -> URL { blobs.appendingPathComponent(digest.description) }

    private static func flat(_ folder: String) -> String { folder.replacing("/", with: "--") }
}
