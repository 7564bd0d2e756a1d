import Foundation
import StenoCore
import Testing

@Suite struct StenoErrorTests {
    private let error: any Error = StenoError(.notAudio, "“a.svg” is an image. Name a recording.")

    @Test func theLocalizedDescriptionIsTheMessage() {
        #expect(error.localizedDescription == "“a.svg” is an image. Name a recording.")
        #expect("\(error)" == error.localizedDescription)
    }

    @Test func anErrorIsMatchedByItsCode() throws {
        let code = try #require(error as? StenoError).code
        #expect(code == .notAudio)
        #expect(code != .audioDamaged)
        #expect("\(StenoError.Code.audioTruncated)" == "audioTruncated")
        #expect("\(StenoError.Code.engineState)" == "engineState")
    }
}
