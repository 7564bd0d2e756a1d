import Foundation
import Steno
import StenoStore

// Writes into a history until it is killed, and prints the number of each segment when it has been acknowledged.
//
//     StenoStoreTool FOLDER [KEYFILE]

let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
    print("usage: StenoStoreTool FOLDER [KEYFILE]")
    exit(64)
}
do {
    let key = try arguments.count > 2 ? StoreKey.file(URL(fileURLWithPath: arguments[2])) : .none
    let store = try await TranscriptStore.open(URL(fileURLWithPath: arguments[1]), key: key)
    let writer = try await store.begin(title: "Until killed", source: "test")
    for number in 0... {
        try await writer.append([.numbered(number)])
        try await writer.setPartial("after \(number)")
        FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
} catch {
    print(error)
    exit(1)
}

extension TranscriptSegment {
    static func numbered(_ number: Int) -> TranscriptSegment {
        let start = Double(number), text = " number \(number)"
        return TranscriptSegment(
            id: number, start: start, end: start + 1, text: text, isFinal: true,
            words: [Word(word: text, start: start, end: start + 1, probability: 1)], utterance: number / 4)
    }
}
