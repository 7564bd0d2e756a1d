import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Which files may be written, whatever they are called.
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

    @Test func newFilesAreAllowedAndNotCreated() throws {
        try check(url("a.txt"), url("b.txt"))
        #expect(try folder.names() == ["in.wav"])
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
    }

    @Test func theTargetOfStandardOutputIsReserved() throws {
        let file = try folder.write("", to: "a.txt")
        var outputs = OutputFiles(overwriting: true)
        outputs.reserve(FileIdentity(file))
        #expect(try stenoError { try outputs.check(file) }.message.contains("twice"))
    }

    @Test func aMissingFolderAndADeviceAreRefused() throws {
        #expect(try stenoError { try check(url("no/a.txt")) }.code == .outputFailed)
        let null = URL(fileURLWithPath: "/dev/null")
        #expect(try stenoError { try check(null, overwriting: true) }.message.contains("not a file"))
    }
}
