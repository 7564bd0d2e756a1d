package import Foundation
import Steno

/// Whether the files of a model are as published.
public struct ModelVerification: Sendable, Hashable {
    /// The outcome.
    public enum Outcome: Sendable, Hashable {
        /// Every file has the published content.
        case intact
        /// Files are missing, altered or unreadable, with one sentence for each.
        case altered([String])
        /// The published hashes are unknown, for this reason.
        case unknown(String)
    }

    /// The outcome.
    public let outcome: Outcome
    /// The number of files compared.
    public let fileCount: Int
    /// Their size in bytes.
    public let size: Int
}

extension ModelStore {
    /// Compares the files of a model with the published ones, without the network.
    ///
    /// The hashes of downloads by Steno are stored with them. In the Hugging Face cache, a file's content is named by
    /// its hash. For other folders there is nothing to compare with.
    ///
    /// - Parameters:
    ///   - folder: The model's folder, or its file.
    ///   - isCancelled: Called for each megabyte.
    package func verify(_ folder: URL, isCancelled: () -> Bool = { false }) throws -> ModelVerification {
        if let receipt = ModelReceipt.read(folder) {
            return try verify(
                receipt.files.map { (folder.appendingPathComponent($0.name), $0.size, .sha256($0.sha256)) },
                isCancelled: isCancelled)
        }
        let files = folder.isFolder ? folder.childNames.map { folder.appendingPathComponent($0) } : [folder]
        let published = files.compactMap { file -> (URL, Int?, Digest)? in
            // The destination of a link in the Hugging Face cache is named by its content.
            let name = (try? FileManager.default.destinationOfSymbolicLink(atPath: file.path))?.split(separator: "/")
                .last
            return name.flatMap { Digest(eTag: String($0)) }.map { (file, FileBytes.size(file), $0) }
        }
        guard !published.isEmpty else {
            return ModelVerification(outcome: .unknown("no hashes are known for its files"), fileCount: 0, size: 0)
        }
        return try verify(published, isCancelled: isCancelled)
    }

    /// Compares the files of a downloaded model with the published ones, without the network.
    ///
    /// - Throws: `modelNotFound`; `CancellationError`.
    public func verify(_ name: String) async throws -> ModelVerification {
        let folder = try model(name)?.folder ?? ModelLocator().locate(name).folder
        return try await Worker.run("steno.verify", stack: .shallow) { flag in
            try verify(folder) { flag.isCancelled }
        }
    }

    private func verify(
        _ files: [(file: URL, size: Int?, digest: Digest)], isCancelled: () -> Bool
    ) throws -> ModelVerification {
        var problems: [String] = []
        for (file, size, digest) in files {
            let name = file.lastPathComponent
            guard let found = FileBytes.size(file) else {
                problems.append("\(name) is missing.")
                continue
            }
            if let size, found != size {
                problems.append("\(name) has \(found) bytes instead of \(size).")
                continue
            }
            do {
                if try !FileBytes.hash(file, size: found, isCancelled: isCancelled).hasher.matches(digest) {
                    problems.append("\(name) differs from the published file.")
                }
            } catch let error as SystemCallError {
                problems.append("\(name) cannot be read: \(error).")
            }
        }
        return ModelVerification(
            outcome: problems.isEmpty ? .intact : .altered(problems), fileCount: files.count,
            size: FileSize.sum(files.compactMap { FileBytes.size($0.file) }))
    }
}

/// The record of a download, stored in the model's folder: it shows that Steno downloaded the folder, and allows its
/// files to be verified offline.
package struct ModelReceipt: Codable, Sendable, Hashable {
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
