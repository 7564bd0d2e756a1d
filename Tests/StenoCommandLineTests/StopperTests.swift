import Foundation
import StenoCommandLine
import StenoTestSupport
import Testing

/// The effects of the first, second and further reasons to stop.
@Suite struct StopperTests {
    private let stopper = Stopper()
    private let calls = Recorder<String>()

    private func attach(gently: Bool) {
        stopper.attach { [calls] in calls.add("cancel") }
        if gently { stopper.endGently { [calls] in calls.add("end") } }
    }

    @Test func workIsCancelledOnce() {
        attach(gently: false)
        #expect(stopper.stop(.signal(15)))
        #expect(!stopper.stop(.signal(2)) && !stopper.stop(.readerLeft))
        #expect(calls.all == ["cancel"] && stopper.phase == .cancelled(.signal(15)))
    }

    @Test func gracefulWorkIsAskedFirstAndThenCancelled() {
        attach(gently: true)
        #expect(stopper.stop(.signal(1)))
        #expect(calls.all == ["end"] && stopper.phase == .ending(.signal(1)))
        #expect(stopper.stop(.signal(2)))
        #expect(calls.all == ["end", "cancel"] && stopper.phase == .cancelled(.signal(2)))
        #expect(!stopper.stop(.signal(2)))
    }

    /// With a closed terminal, every write fails while the last words are decoded.
    @Test func failingOutputNeverCancelsGracefulWork() {
        attach(gently: true)
        #expect(stopper.stop(.outputFailed(5)))
        #expect(!stopper.stop(.outputFailed(5)) && !stopper.stop(.readerLeft))
        #expect(calls.all == ["end"] && stopper.phase == .ending(.outputFailed(5)))
        #expect(stopper.stop(.signal(15)))
        #expect(calls.all == ["end", "cancel"])
    }

    /// Only signals that ask to finish, such as a worker's SIGTERM, are gentle; for others, nobody reads the output.
    @Test func reasonsThatAreNotGentleCancel() {
        stopper.attach { [calls] in calls.add("cancel") }
        stopper.endGently(on: { $0 == .signal(15) }) { [calls] in calls.add("end") }
        #expect(stopper.stop(.signal(15)))
        #expect(calls.all == ["end"])
        #expect(stopper.stop(.readerLeft))
        #expect(calls.all == ["end", "cancel"] && stopper.phase == .cancelled(.readerLeft))

        let other = Stopper()
        other.attach { [calls] in calls.add("other") }
        other.endGently(on: { $0 == .signal(15) }) { [calls] in calls.add("never") }
        #expect(other.stop(.signal(2)))
        #expect(calls.all == ["end", "cancel", "other"])
    }

    @Test func aStopBeforeTheWorkIsAttachedCounts() {
        #expect(stopper.stop(.signal(15)))
        attach(gently: true)
        #expect(calls.all == ["cancel"])
    }
}

struct InstalledProgramTests {
    private let folder: TemporaryFolder
    private let program: URL

    init() throws {
        folder = try TemporaryFolder()
        program = try folder.write("#!/bin/sh\n", to: "steno-\(UUID().uuidString)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    }

    @Test func theFirstOnTheSearchPathIsFound() throws {
        let found = InstalledProgram.find(program.lastPathComponent, searchPath: "/nowhere:\(folder.url.path):/usr/bin")
        #expect(found?.path == program.path)
        #expect(InstalledProgram.find(program.lastPathComponent, searchPath: "/nowhere") == nil)
        #expect(InstalledProgram.besideThis(program.lastPathComponent) == nil)
        // It must be executable.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: program.path)
        #expect(InstalledProgram.find(program.lastPathComponent, searchPath: folder.url.path) == nil)
    }

    /// Working in the folder of an unpacked archive must not run programs from it.
    @Test func relativeFoldersAreSkipped() throws {
        let here = FileManager.default.currentDirectoryPath
        let relative = String(repeating: "../", count: here.split(separator: "/").count) + folder.url.path.dropFirst()
        #expect(FileManager.default.isExecutableFile(atPath: relative + "/" + program.lastPathComponent))
        #expect(InstalledProgram.find(program.lastPathComponent, searchPath: "\(relative)::.") == nil)
    }
}
