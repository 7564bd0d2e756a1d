// Handles an upload as a web server would: at most two at a time, a JSON response, and a status for every error.
//
//     swift run -c release upload-handler < talk.mp3
import Foundation
import Steno

struct Uploads {
    let transcriber: Transcriber

    func answer(_ upload: Data) async -> (status: Int, body: Data) {
        do {
            let transcript = try await transcriber.transcribe(data: upload)
            return (200, try JSONEncoder().encode(transcript))
        } catch let error as StenoError {
            let faults: [StenoError.Code] = [.notAudio, .audioDamaged, .unknownLanguage]
            return (faults.contains(error.code) ? 422 : 500, Data(error.message.utf8))
        } catch {
            return (500, Data(error.localizedDescription.utf8))
        }
    }
}

let uploads = Uploads(transcriber: try await Transcriber.load(.bundled, maximumConcurrentCalls: 2))
let (status, body) = await uploads.answer(FileHandle.standardInput.readDataToEndOfFile())
print(status, String(decoding: body, as: UTF8.self))
