import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import Steno

/// The file of enrolled voices.
struct SpeakerProfileFileTests {
    private let folder = TemporaryFolder.ofSuite()
    private var file: SpeakerProfileFile {
        SpeakerProfileFile(folder.url.appendingPathComponent("new/speakers.json"))
    }

    private func profile(_ name: String, _ value: Float = 1) -> SpeakerProfile {
        SpeakerProfile(name: name, embedding: [value, 0.25], seconds: 12.5)
    }

    @Test func voicesAreKeptUntilTheyAreRemoved() throws {
        #expect(try file.profiles().isEmpty)
        try file.save(profile("Grace"))
        try file.save(profile("Ada"))
        try file.save(profile("Grace", 2))
        #expect(try file.profiles() == [profile("Ada"), profile("Grace", 2)])
        var other = profile("Grace", 2)
        other.other = [1, 2, 3]
        try file.save(other)
        #expect(try file.profiles() == [profile("Ada"), other])
        try file.save(profile("Grace", 2))
        #expect(try file.remove("Ada") && !file.remove("Ada"))
        #expect(try file.profiles() == [profile("Grace", 2)])
        #expect(try file.remove("Grace"))
        #expect(!FileManager.default.fileExists(atPath: file.url.path), "an empty file is removed")
    }

    @Test func onlyTheOwnerMayReadTheFile() throws {
        try file.save(profile("Ada"))
        #expect(try permissions(of: file.url) == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.url.path)
        try file.save(profile("Grace"))
        #expect(try permissions(of: file.url) == 0o600)
    }

    @Test(arguments: ["", "{", "[]", #"{"version": 2, "speakers": []}"#])
    func anUnreadableFileIsAnErrorAndStays(content: String) throws {
        try FileManager.default.createDirectory(
            at: file.url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file.url, atomically: false, encoding: .utf8)
        #expect(throws: StenoError.self) { try file.profiles() }
        #expect(throws: StenoError.self) { try file.save(profile("Ada")) }
        #expect(try String(contentsOf: file.url, encoding: .utf8) == content)
    }

    @Test func theLocationFollowsTheEnvironment() {
        #expect(SpeakerProfileFile.standard(["STENO_SPEAKERS": "/x/voices.json"]).url.path == "/x/voices.json")
        #if os(Linux)
            #expect(
                SpeakerProfileFile.standard(["HOME": "/home/ada"]).url.path
                    == "/home/ada/.local/share/steno/speakers.json")
            #expect(
                SpeakerProfileFile.standard(["HOME": "/home/ada", "XDG_DATA_HOME": "/data"]).url.path
                    == "/data/steno/speakers.json")
        #endif
    }

    @Test(arguments: ["", "  ", "Speaker 3", "two\nlines"]) func invalidNamesAreRefused(name: String) async {
        await #expect(throws: StenoError.self) { try await SpeakerEnrollment.profile(name, from: []) }
    }

    @Test func enrollmentNeedsSpeech() async throws {
        await #expect(throws: StenoError.self) {
            try await SpeakerEnrollment.profile(
                "Ada", from: [{ ArraySampleSource([Float](repeating: 0, count: 160_000)) }])
        }
    }
}
