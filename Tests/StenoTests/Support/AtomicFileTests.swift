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

    @Test func aMissingFolderIsNamed() throws {
        expectError(.outputFailed, says: "b.txt cannot be written: ") {
            try AtomicFile.write("one", to: file.appendingPathComponent("b.txt"))
        }
        #expect(!AtomicFile.canWrite(in: file) && AtomicFile.canWrite(in: folder.url))
    }
}
