import StenoCore
import Testing

@testable import Steno
@testable import StenoSpeakers

/// Which voices get a name.
struct SpeakerNamesTests {
    private func voice(_ values: [Float], seconds: Double = 20) -> Diarization.Voice {
        Diarization.Voice(embedding: SpeakerEmbedding(values).normalized, seconds: seconds)
    }

    private let profiles = [
        SpeakerProfile(name: "Ada", embedding: [1, 0, 0], seconds: 30),
        SpeakerProfile(name: "Grace", embedding: [0, 1, 0], seconds: 30),
    ]

    @Test func anEnrolledVoiceHasItsName() {
        let names = SpeakerNames.names(of: [0: voice([0, 0, 1]), 1: voice([0.95, 0.2, 0.1])], profiles: profiles)
        #expect(names == [1: "Ada"])
    }

    @Test func aMerelySimilarVoiceHasNoName() {
        #expect(SpeakerNames.names(of: [0: voice([0.8, 0.2, 0.56])], profiles: profiles).isEmpty)
        #expect(SpeakerNames.names(of: [0: voice([1, 0, 0], seconds: 1)], profiles: profiles).isEmpty)
        let twins = profiles + [SpeakerProfile(name: "Twin", embedding: [1, 0.05, 0], seconds: 30)]
        #expect(SpeakerNames.names(of: [0: voice([1, 0, 0])], profiles: twins).isEmpty)
    }

    @Test func aNameIsGivenOnce() {
        let names = SpeakerNames.names(of: [0: voice([0.97, 0.1, 0.1]), 1: voice([1, 0.01, 0])], profiles: profiles)
        #expect(names == [1: "Ada"])
    }

    @Test func profilesOfAnotherEncoderAreIgnored() {
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
