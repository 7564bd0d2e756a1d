import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoModelStore

/// A download's file may be a second name for an installed model's file.
@Suite struct StagedFileTests {
    private let folder = TemporaryFolder.ofSuite()
    private var installed: URL { folder.url.appendingPathComponent("installed") }
    private var staged: URL { folder.url.appendingPathComponent("staging/model.bin") }
    private let content = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) })

    init() throws {
        try FileManager.default.createDirectory(
            at: staged.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    /// Installs the content like a download, and gives it a second name in another download.
    private func share() throws {
        try content.write(to: installed)
        chmod(installed.path, 0o444)
        try FileManager.default.linkItem(at: installed, to: staged)
    }

    private func planned(_ wanted: Data) -> DownloadPlan.File {
        DownloadPlan.File(
            name: "model.bin", url: folder.url, size: wanted.count, digest: .sha256(TestDigest.sha256(wanted)))
    }

    private func open(_ wanted: Data) throws -> StagedFile {
        try StagedFile(planned(wanted), in: staged.deletingLastPathComponent()) { false }
    }

    /// Receives the rest of some content, and closes the file.
    private func complete(_ file: StagedFile, _ wanted: Data) throws {
        try wanted.dropFirst(file.count).withUnsafeBytes { try file.append($0) }
        #expect(file.isComplete && file.matches(.sha256(TestDigest.sha256(wanted))))
        file.close()
    }

    /// Notes that the file is the start of some content.
    private func writeState(_ wanted: Data) throws {
        let state = StagedFile.State(size: wanted.count, digest: planned(wanted).digest, eTag: "\"tag\"")
        try JSONEncoder().encode(state).write(to: StagedFile.stateFile(of: staged))
    }

    /// Whether this process has the file open; false where that cannot be known.
    private var isOpen: Bool {
        let descriptors = URL(fileURLWithPath: "/proc/self/fd")
        return descriptors.childNames.contains { name in
            let path = descriptors.appendingPathComponent(name).path
            return (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == staged.path
        }
    }

    @Test func completeFilesAreOnlyRead() throws {
        try share()
        let file = try open(content)
        #expect(file.isComplete && file.count == 5000 && file.sha256 == TestDigest.sha256(content))
        #expect(FileIdentity(staged) == FileIdentity(installed) && !isOpen)
        file.close()
    }

    /// A process may end between protecting its files and putting the model in place.
    @Test func completeFilesMayBeProtectedWithoutASecondName() throws {
        try content.write(to: staged)
        chmod(staged.path, 0o444)
        let before = FileIdentity(staged)
        let file = try open(content)
        #expect(file.isComplete && FileIdentity(staged) == before && !isOpen)
        file.close()
    }

    @Test func installedFilesKeepTheirContentWhenADownloadWantsOther() throws {
        try share()
        let before = FileIdentity(installed)
        let other = Data(repeating: 7, count: 5000)
        let file = try open(other)
        #expect(!file.isComplete && file.count == 0)
        try complete(file, other)
        #expect(try Data(contentsOf: staged) == other && Data(contentsOf: installed) == content)
        #expect(FileIdentity(installed) == before && FileIdentity(staged) != before)
    }

    @Test func installedFilesKeepTheirContentWhenADownloadRestarts() throws {
        try share()
        let file = try open(content)
        try file.restart()
        #expect(!file.isComplete && file.count == 0)
        #expect(try Data(contentsOf: installed) == content)
        #expect(FileIdentity(staged) != FileIdentity(installed))
        try complete(file, content)
    }

    @Test(arguments: [false, true]) func partialFilesAreContinuedUnlessProtected(isProtected: Bool) throws {
        try content.prefix(100).write(to: staged)
        try writeState(content)
        if isProtected { chmod(staged.path, 0o444) }
        let file = try open(content)
        #expect(file.count == (isProtected ? 0 : 100))
        #expect(file.eTag == (isProtected ? nil : "\"tag\""))
        try complete(file, content)
    }

    /// A connection may have delivered other content of the right size, which no further byte makes right.
    @Test func wholeFilesWithOtherContentStartOver() throws {
        try Data(repeating: 7, count: 5000).write(to: staged)
        try writeState(content)
        let file = try open(content)
        #expect(!file.isComplete && file.count == 0)
        try complete(file, content)
    }

    @Test func partialFilesWithASecondNameAreNotWritten() throws {
        try content.prefix(100).write(to: installed)
        try FileManager.default.linkItem(at: installed, to: staged)
        try writeState(content)
        let file = try open(content)
        #expect(file.count == 0)
        try complete(file, content)
        #expect(try Data(contentsOf: installed) == content.prefix(100))
    }
}
