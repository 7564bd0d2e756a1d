import Foundation
import StenoCore
import Testing

@Suite struct StenoErrorTests {
    @Test func theLocalizedDescriptionIsTheMessage() {
        let error: any Error = StenoError(.notAudio, "“a.svg” is an image. Name a recording.")
        #expect(error.localizedDescription == "“a.svg” is an image. Name a recording.")
        #expect("\(error)" == error.localizedDescription)
    }
}
