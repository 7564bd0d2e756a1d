import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Files that are replaced as a whole.
@Suite struct AtomicFileTests {
    private let folder = TemporaryFolder.ofSuite()
    private var file: URL { folder.url.appendingPathComponent("a.txt") }

    @Test func aFileIsReplacedAndNothingElseIsLeft() throws {
        try AtomicFile.write("one", to: file)
        try AtomicFile.write("two", to: file)
        #expect(try String(contentsOf: file, encoding: .utf8) == "two")
        #expect(try folder.names() == ["a.txt"])
    }

    @Test func permissionsStay() throws {
        try AtomicFile.write("one", to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try AtomicFile.write("two", to: file)
        #expect(try permissions(of: file) == 0o600)
    }

    @Test func aLinkStaysALink() throws {
        let target = try folder.write("one", to: "inner/target.txt")
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        try AtomicFile.write("two", to: file)
        #expect(try String(contentsOf: target, encoding: .utf8) == "two")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == target.path)
        #expect(try folder.names() == ["a.txt", "inner", "inner/target.txt"])
    }

    @Test func anExistingFileIsKeptIfAsked() throws {
        try AtomicFile.write("one", to: file, overwriting: false)
        expectError(.outputFailed, says: "a.txt cannot be written: ") {
            try AtomicFile.write("two", to: file, overwriting: false)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == "one")
        #expect(try folder.names() == ["a.txt"])
    }

    /// A device would become a file.
    @Test func devicesAndFoldersAreRefused() throws {
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/dev/null")
        #expect(try stenoError { try AtomicFile.write("one", to: file) }.message.contains("not a file"))
        #expect(try stenoError { try AtomicFile.write("one", to: folder.url) }.message.contains("not a file"))
    }

    // MARK: Remains

    /// A file that a killed process left in the folder.
    private func remains(_ name: String = ".steno-\(UUID().uuidString)", hoursAgo: Double = 48) throws -> URL {
        let remains = try folder.write("half", to: name)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600 * hoursAgo)], ofItemAtPath: remains.path)
        return remains
    }

    @Test func theRemainsOfAKilledProcessAreRemoved() throws {
        _ = try remains()
        _ = try remains()
        try AtomicFile.write("one", to: file)
        #expect(try folder.names() == ["a.txt"])
    }

    /// A file that may still be written, and names that only resemble ours.
    @Test func otherFilesStay() throws {
        let recent = try remains(hoursAgo: 1)
        let open = try remains()
        let others = try [".steno-model.json", ".steno-", ".steno-1234", "x.steno-\(UUID().uuidString)"].map {
            try remains($0).lastPathComponent
        }
        let folderName = ".steno-\(UUID().uuidString)"
        _ = try remains(folderName + "/inner")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -1e6)],
            ofItemAtPath: folder.url.appendingPathComponent(folderName).path)
        let link = folder.url.appendingPathComponent(".steno-\(UUID().uuidString)")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: recent.path)
        let descriptor = try OwnedDescriptor.openForReading(open.path)
        try #require(flock(descriptor.rawValue, LOCK_EX) == 0)
        try AtomicFile.write("one", to: file)
        let expected =
            ["a.txt", folderName, folderName + "/inner", link.lastPathComponent] + others
            + [recent, open].map(\.lastPathComponent)
        #expect(try folder.names() == expected.sorted())
        descriptor.unlockAndClose()
    }

    @Test func aMissingFolderIsNamed() throws {
        expectError(.outputFailed, says: "b.txt cannot be written: ") {
            try AtomicFile.write("one", to: file.appendingPathComponent("b.txt"))
        }
        #expect(!AtomicFile.canWrite(in: file) && AtomicFile.canWrite(in: folder.url))
    }
}
