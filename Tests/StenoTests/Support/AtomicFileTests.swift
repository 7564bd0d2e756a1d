import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

@Suite struct AtomicFileTests {
    private let folder = TemporaryFolder.ofSuite()
    private var file: URL { folder.url.appendingPathComponent("a.txt") }

    @Test func aFileIsReplacedAndNothingElseIsLeft() throws {
        try AtomicFile.write("one", to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try AtomicFile.write("two", to: file)
        #expect(try String(contentsOf: file, encoding: .utf8) == "two")
        #expect(try folder.names() == ["a.txt"])
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

    @Test func aMissingFolderIsNamedAndDevicesAndFoldersAreRefused() throws {
        expectError(.outputFailed, says: "b.txt cannot be written: ") {
            try AtomicFile.write("one", to: file.appendingPathComponent("b.txt"))
        }
        #expect(!AtomicFile.canWrite(in: file) && AtomicFile.canWrite(in: folder.url))
        // A device would become a file.
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/dev/null")
        #expect(try stenoError { try AtomicFile.write("one", to: file) }.message.contains("not a file"))
        #expect(try stenoError { try AtomicFile.write("one", to: folder.url) }.message.contains("not a file"))
    }
}

@Suite struct OutputFilesTests {
    private let folder = TemporaryFolder.ofSuite()
    private let input: URL

    init() throws { input = try folder.write("audio", to: "in.wav") }

    private func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private func check(_ files: URL..., overwriting: Bool = false) throws {
        var outputs = OutputFiles(
            overwriting: overwriting, inputs: [try #require(FileIdentity(input))], remedy: "Use --force.")
        for file in files { try outputs.check(file) }
    }

    @Test func newFilesAreAllowedButNoMissingFolderAndNoDevice() throws {
        try check(url("a.txt"), url("b.txt"))
        #expect(try folder.names() == ["in.wav"])
        #expect(try stenoError { try check(url("no/a.txt")) }.code == .outputFailed)
        let null = URL(fileURLWithPath: "/dev/null")
        #expect(try stenoError { try check(null, overwriting: true) }.message.contains("not a file"))
    }

    @Test func theInputIsNeverOverwritten() throws {
        try FileManager.default.createSymbolicLink(at: url("link.wav"), withDestinationURL: input)
        try FileManager.default.linkItem(at: input, to: url("hard.wav"))
        for name in ["in.wav", "link.wav", "hard.wav", "./in.wav"] {
            expectError(.invalidOption, "\(name)", says: "is the input") { try check(url(name), overwriting: true) }
        }
        let open = try OwnedDescriptor.openForReading(input.path)
        #expect(FileIdentity(regularFile: open.rawValue) == FileIdentity(url("link.wav")))
    }

    @Test func anExistingFileNeedsPermission() throws {
        try folder.write("old", to: "a.txt")
        let error = try stenoError { try check(url("a.txt")) }
        #expect(error.code == .outputFailed && error.message.hasSuffix("a.txt exists already. Use --force."))
        try check(url("a.txt"), overwriting: true)
        #expect(try String(contentsOf: url("a.txt"), encoding: .utf8) == "old")
    }

    @Test func oneFileTwiceIsRefused() throws {
        try folder.write("old", to: "a.txt")
        try FileManager.default.createSymbolicLink(at: url("b.txt"), withDestinationURL: url("a.txt"))
        for (first, other) in [("a.txt", "b.txt"), ("new.txt", "./new.txt"), ("new.txt", "NEW.TXT")] {
            expectError(.invalidOption, "\(first) \(other)", says: "twice") {
                try check(url(first), url(other), overwriting: true)
            }
        }
        // The target of standard output is reserved.
        var outputs = OutputFiles(overwriting: true)
        outputs.reserve(FileIdentity(url("a.txt")))
        expectError(says: "twice") { try outputs.check(url("a.txt")) }
    }
}

struct PipeLinesTests {
    @Test func aLineEndsWithALineBreak() throws {
        let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
        var lines = PipeLines(readEnd)
        try writeEnd.write("one\n\nthr")
        let first = [lines.next(), lines.next()]
        try writeEnd.write("ee\nunfinished")
        writeEnd.close()
        let rest = [lines.next(), lines.next()]
        #expect(first == ["one", ""])
        #expect(rest == ["three", nil])
    }

    /// Longer than one read, but not than a pipe, so that writing does not wait.
    @Test func aLongLineIsWhole() throws {
        let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
        let long = String(repeating: "ä", count: 5_000)
        try writeEnd.write(long + "\nshort\n")
        writeEnd.close()
        #expect(Array(PipeLines(readEnd)) == [long, "short"])
    }
}
