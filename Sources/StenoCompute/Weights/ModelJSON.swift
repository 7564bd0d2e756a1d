package import Foundation
import StenoCore

/// Reads the small JSON files next to a model's weights.
package enum ModelJSON {
    /// Three times the largest of these files; parsed JSON takes many times its size.
    private static let maximumSize = 1 << 20

    /// Reads a file in a folder; nil if there is none.
    ///
    /// - Throws: `modelDamaged` if it is not JSON of the expected form.
    package static func read<Content: Decodable>(_ type: Content.Type, _ name: String, in folder: URL) throws
        -> Content?
    {
        let url = folder.appendingPathComponent(name)
        return FileManager.default.fileExists(atPath: url.path) ? try require(type, at: url) : nil
    }

    package static func require<Content: Decodable>(_ type: Content.Type, at url: URL) throws -> Content {
        let file = try ModelFile(path: url.path)
        try ensure(
            file.byteCount <= maximumSize, or: .modelDamaged,
            "\(url.path) has \(file.byteCount) bytes, which is too large for this file. Download the model again.")
        let contents = try file.contents()
        do {
            return try JSONDecoder().decode(type, from: Data(contents))
        } catch {
            throw StenoError(
                .modelDamaged, "\(url.path) is not valid JSON of the expected form. Download the model again.",
                underlying: error)
        }
    }
}
