import Foundation
import Testing

@testable import StenoSpeech

/// Errors as code for Apple's framework catches them.
struct SFSpeechErrorTests {
    @Test func anErrorIsCaughtByItsCode() {
        for code in [SFSpeechError.audioReadFailed, .noModel] {
            do { throw SFSpeechError(code, "A message.") } catch SFSpeechError.audioReadFailed {
                #expect(code == .audioReadFailed)
            } catch SFSpeechError.Code.audioDisordered {
                Issue.record("the codes differ")
            } catch SFSpeechError.Code.noModel {
                #expect(code == .noModel)
            } catch {
                Issue.record("the code is known")
            }
        }
    }

    @Test func anErrorHasADomainACodeAndAMessage() {
        let cause = NSError(domain: "cause", code: 7)
        let error = SFSpeechError(.audioReadFailed, "The file is empty.", underlying: cause) as NSError
        #expect(error.domain == SFSpeechErrorDomain && error.code == SFSpeechError.Code.audioReadFailed.rawValue)
        #expect(error.localizedDescription == "The file is empty.")
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == "cause")
        let own = SFSpeechError(.timeout, userInfo: [NSLocalizedDescriptionKey: "Too late."])
        #expect(own.code == .timeout && own.message == "Too late." && own.underlying == nil)
        #expect(SFSpeechError(.noModel).message.contains("\(SFSpeechError.Code.noModel.rawValue)"))
        // Codes are Apple's, and Steno's differ.
        #expect(SFSpeechError.Code(rawValue: 1) == .internalServiceError)
        #expect(SFSpeechError.Code(rawValue: 8) == .malformedSupplementalModel)
        #expect(SFSpeechError.Code(rawValue: 13) == .missingParameter)
        for code in [SFSpeechError.Code.analyzerState, .moduleInUse] { #expect(code.rawValue > 1000) }
    }
}
