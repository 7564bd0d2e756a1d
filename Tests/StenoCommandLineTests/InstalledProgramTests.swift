import Foundation
import StenoCommandLine
import StenoTestSupport
import Testing

/// Finding the programs that `steno` starts.
struct InstalledProgramTests {
    private let folder: TemporaryFolder
    private let program: URL

    init() throws {
        folder = try TemporaryFolder()
        program = try folder.write("#!/bin/sh\n", to: "steno-\(UUID().uuidString)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    }

    @Test func theFirstOnTheSearchPathIsFound() {
        let found = InstalledProgram.find(program.lastPathComponent, searchPath: "/nowhere:\(folder.url.path):/usr/bin")
        #expect(found?.path == program.path)
        #expect(InstalledProgram.find(program.lastPathComponent, searchPath: "/nowhere") == nil)
        #expect(InstalledProgram.besideThis(program.lastPathComponent) == nil)
    }

    /// Working in the folder of an unpacked archive must not run programs from it.
    @Test func relativeFoldersAreSkipped() throws {
        let here = FileManager.default.currentDirectoryPath
        let relative = String(repeating: "../", count: here.split(separator: "/").count) + folder.url.path.dropFirst()
        #expect(FileManager.default.isExecutableFile(atPath: relative + "/" + program.lastPathComponent))
        #expect(InstalledProgram.find(program.lastPathComponent, searchPath: "\(relative)::.") == nil)
    }

    @Test func filesThatAreNotExecutableAreSkipped() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: program.path)
        #expect(InstalledProgram.find(program.lastPathComponent, searchPath: folder.url.path) == nil)
    }
}
