package import Foundation
package import StenoCore

/// The file of enrolled voices: JSON that only its owner may read, and that exists only while voices are enrolled.
package struct SpeakerProfileFile: Sendable {
    package let url: URL

    package init(_ url: URL) { self.url = url }

    /// The user's own file: the one that `STENO_SPEAKERS` names, or else in Application Support on Apple systems and in
    /// the XDG data folder elsewhere.
    package static func standard(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> SpeakerProfileFile {
        SpeakerProfileFile(environment.path("STENO_SPEAKERS") ?? UserFolders(environment).data.ofSteno("speakers.json"))
    }

    private struct Content: Codable {
        var version: Int
        var speakers: [SpeakerProfile]
    }

    private static let version = 1

    /// The enrolled voices by name; none without the file.
    ///
    /// - Throws: `StenoError.invalidOption` when the file cannot be read or is of another kind.
    package func profiles() throws -> [SpeakerProfile] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        do {
            let content = try JSONDecoder().decode(Content.self, from: Data(contentsOf: url))
            guard content.version == Self.version else {
                throw StenoError(
                    .invalidOption,
                    "\(url.path) was written by a later version of Steno. Update Steno, or move the file away.")
            }
            return content.speakers.sorted { $0.name < $1.name }
        } catch let error as StenoError {
            throw error
        } catch {
            throw StenoError(
                .invalidOption,
                "The enrolled voices in \(url.path) cannot be read. Move the file away and enroll them again.",
                underlying: error)
        }
    }

    /// Adds a voice, replacing one with the same name.
    ///
    /// - Throws: `StenoError`: `outputFailed`, or what ``profiles()`` throws.
    package func save(_ profile: SpeakerProfile) throws {
        try write(profiles().filter { $0.name != profile.name } + [profile])
    }

    /// Removes a voice, and with the last one the file.
    ///
    /// - Returns: Whether there was a voice of that name.
    /// - Throws: `StenoError`: `outputFailed`, or what ``profiles()`` throws.
    package func remove(_ name: String) throws -> Bool {
        let profiles = try profiles()
        let kept = profiles.filter { $0.name != name }
        guard kept.count < profiles.count else { return false }
        guard kept.isEmpty else {
            try write(kept)
            return true
        }
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            throw StenoError(
                .outputFailed, "\(url.path) cannot be removed. Check the permissions of its folder.", underlying: error)
        }
        return true
    }

    private func write(_ profiles: [SpeakerProfile]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let content = Content(version: Self.version, speakers: profiles.sorted { $0.name < $1.name })
        try AtomicFile.makeFolder(url.deletingLastPathComponent())
        let text = String(decoding: try encoder.encode(content), as: UTF8.self) + "\n"
        try AtomicFile.write(text, to: url, permissions: 0o600)
    }
}
