#if Store
    import Foundation
    import Steno
    import StenoStore

    /// Appends segments at full speed.
    enum Writing {
        static func run(folder: String, keyFile: String?) async throws {
            let store = try await open(folder, keyFile)
            let writer = try await store.begin(title: "Until killed", source: "test")
            for number in 0... {
                try await writer.append([.numbered(number)], partial: " after \(number)")
                FileHandle.standardOutput.write(Data("\(number)\n".utf8))
            }
        }

        static func open(_ folder: String, _ keyFile: String?) async throws -> TranscriptStore {
            let key = try keyFile.map { try StoreKey.file(URL(fileURLWithPath: $0)) } ?? .none
            return try await .open(URL(fileURLWithPath: folder), key: key)
        }
    }

    extension LiveSegment {
        static func numbered(_ number: Int) -> LiveSegment {
            let start = Double(number), text = " number \(number)"
            return LiveSegment(
                id: number, start: start, end: start + 1, text: text, isFinal: true,
                words: [Word(rawText: text, start: start, end: start + 1, probability: 1)], utterance: number / 4)
        }
    }
#endif
