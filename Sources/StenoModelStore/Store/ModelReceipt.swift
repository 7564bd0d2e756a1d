package import Foundation
import Steno

/// The record of a download, stored in the model's folder: it shows that Steno downloaded the folder, and allows its
/// files to be verified offline.
package struct ModelReceipt: Codable, Sendable, Hashable {
    /// A file of the model.
    package struct File: Codable, Sendable, Hashable {
        package var name: String
        /// Its size in bytes.
        package var size: Int
        /// SHA-256 of its content, in hexadecimal digits.
        package var sha256: String
        /// The identity of its content on the hub, which names it in the store.
        package var digest: Digest
    }

    /// The name that was downloaded.
    package var name: String
    /// The repository or address.
    package var source: String
    /// The revision of the repository; nil for an address.
    package var revision: String?
    /// The files, sorted by name.
    package var files: [File]

    /// The name of the receipt in a model's folder.
    package static let fileName = ".steno-model.json"

    /// The receipt of a model's folder; nil if Steno did not download it.
    package static func read(_ folder: URL) -> ModelReceipt? {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(fileName)),
            let receipt = try? JSONDecoder().decode(ModelReceipt.self, from: data)
        else { return nil }
        // A receipt decides which files are removed, and anyone may have written it, so it is trusted only for this
        // folder.
        let isBelieved = receipt.files.allSatisfy { isFileName($0.name) && FileSize.isPossible($0.size) }
        return isBelieved ? receipt : nil
    }

    /// Whether a name is that of a file directly in the model's folder, and not reserved by Steno.
    ///
    /// The bytes are compared: to Swift, a slash with a combining accent is another character, but not to the system.
    static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && ![".", "..", fileName].contains(name)
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    func write(to folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        try AtomicFile.write(text, to: folder.appendingPathComponent(Self.fileName))
    }
}
