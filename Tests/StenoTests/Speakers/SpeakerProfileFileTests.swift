import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeakers

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

struct SpeakerNamesTests {
    private func voice(_ values: [Float], seconds: Double = 20) -> Diarization.Voice {
        Diarization.Voice(embedding: SpeakerEmbedding(values).normalized, seconds: seconds)
    }

    private let profiles = [
        SpeakerProfile(name: "Ada", embedding: [1, 0, 0], seconds: 30),
        SpeakerProfile(name: "Grace", embedding: [0, 1, 0], seconds: 30),
    ]

    @Test func anEnrolledVoiceHasItsNameAndAMerelySimilarOneHasNone() {
        let names = SpeakerNames.names(of: [0: voice([0, 0, 1]), 1: voice([0.95, 0.2, 0.1])], profiles: profiles)
        #expect(names == [1: "Ada"])
        #expect(SpeakerNames.names(of: [0: voice([0.8, 0.2, 0.56])], profiles: profiles).isEmpty)
        #expect(SpeakerNames.names(of: [0: voice([1, 0, 0], seconds: 1)], profiles: profiles).isEmpty)
        let twins = profiles + [SpeakerProfile(name: "Twin", embedding: [1, 0.05, 0], seconds: 30)]
        #expect(SpeakerNames.names(of: [0: voice([1, 0, 0])], profiles: twins).isEmpty)
    }

    @Test func aNameIsGivenOnceAndProfilesOfAnotherEncoderAreIgnored() {
        let names = SpeakerNames.names(of: [0: voice([0.97, 0.1, 0.1]), 1: voice([1, 0.01, 0])], profiles: profiles)
        #expect(names == [1: "Ada"])
        let other = [SpeakerProfile(name: "Ada", embedding: [1, 0], seconds: 30)]
        #expect(SpeakerNames.names(of: [0: voice([1, 0, 0])], profiles: other).isEmpty)
    }

    @Test func everyEncoderHasItsLimits() {
        let width = CAMPlusModel.width
        func axis(_ index: Int) -> [Float] { (0..<width).map { $0 == index ? 1 : 0 } }
        let both = [
            SpeakerProfile(name: "Ada", embedding: [1, 0, 0], other: axis(0), seconds: 30),
            SpeakerProfile(name: "Grace", embedding: [0, 1, 0], other: axis(1), seconds: 30),
        ]
        func voice(_ first: Float, _ second: Float) -> Diarization.Voice {
            let rest = (1 - first * first - second * second).squareRoot()
            return self.voice((0..<width).map { $0 == 0 ? first : $0 == 1 ? second : $0 == 2 ? rest : 0 })
        }
        #expect(SpeakerNames.names(of: [0: voice(0.65, 0)], profiles: both) == [0: "Ada"])
        #expect(SpeakerNames.names(of: [0: voice(0.55, 0)], profiles: both).isEmpty)
        #expect(SpeakerNames.names(of: [0: voice(0.65, 0.6)], profiles: both).isEmpty)
        #expect(SpeakerNames.names(of: [0: self.voice([0.65, 0, 0.7])], profiles: both).isEmpty)
    }
}
