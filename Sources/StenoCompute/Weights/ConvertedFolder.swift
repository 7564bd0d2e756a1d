package import Foundation
import StenoCore

/// The folder of a converted model: when it may be replaced, and its small files.
package enum ConvertedFolder {
    /// Checks the destination of a conversion before any work.
    ///
    /// - Parameters:
    ///   - weights: The file with the weights; a folder without it is not a converted model.
    ///   - files: The other files that a converted model may have; a folder with anything else is never replaced.
    /// - Throws: `invalidOption` if the folder holds the source, `outputFailed` if it exists and may not be replaced.
    package static func check(
        _ folder: URL, source: URL, replacing: Bool, weights: String, files: Set<String>
    ) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else { return }
        let real = (folder: folder.resolvingSymlinksInPath().path, source: source.resolvingSymlinksInPath().path)
        let existing = isFolder.boolValue ? try? FileManager.default.contentsOfDirectory(atPath: folder.path) : nil
        try ensure(
            real.source != real.folder && !real.source.hasPrefix(real.folder + "/"), or: .invalidOption,
            "\(folder.path) holds the model to convert and would be overwritten. Choose another folder.")
        // A folder with a user's files may also contain a model. macOS adds its own file to any folder.
        let replaceable = files.union([weights, ".DS_Store"])
        guard let existing, existing.contains(weights), Set(existing).isSubset(of: replaceable) else {
            throw StenoError(
                .outputFailed,
                "\(folder.path) exists already and is not a converted model, or has other files in it, so Steno does "
                    + "not replace it. Choose another folder.")
        }
        try ensure(
            replacing, or: .outputFailed,
            "\(folder.path) exists already. Choose another folder, or replace the model with --force.")
    }

    package static func write(_ text: String, _ name: String, in folder: URL) throws {
        let file = try FileWriter(creating: folder.appendingPathComponent(name).path)
        try file.write(Array(text.utf8))
        try file.finish()
    }

    /// Returns whether the source's folder has that file.
    package static func copy(_ name: String, from source: URL, to folder: URL) throws -> Bool {
        let file = source.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return false }
        let copy = try FileWriter(creating: folder.appendingPathComponent(name).path)
        try copy.write(ModelFile(path: file.path).contents())
        try copy.finish()
        return true
    }
}
