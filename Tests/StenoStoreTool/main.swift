#if Store
    import Foundation
    import Steno
    import StenoStore

    // Works on a history in a process of its own:
    //
    //     StenoStoreTool write FOLDER [KEYFILE]          appends until it is killed; prints each acknowledged number
    //     StenoStoreTool measure FOLDER HOURS [KEYFILE]  times of appending and searching in a transcript so long

    let arguments = CommandLine.arguments.dropFirst()
    do {
        switch (arguments.first, arguments.count) {
        case ("write"?, 2...3):
            try await write(to: open(arguments[2], arguments.count > 2 ? arguments[3] : nil))
        case ("measure"?, 3...4):
            guard let hours = Double(arguments[3]) else { fallthrough }
            try await Measuring.run(open(arguments[2], arguments.count > 3 ? arguments[4] : nil), hours: hours)
        default:
            print("usage: StenoStoreTool write FOLDER [KEYFILE] | measure FOLDER HOURS [KEYFILE]")
            exit(64)
        }
    } catch {
        print(error)
        exit(1)
    }

    func open(_ folder: String, _ keyFile: String?) async throws -> TranscriptStore {
        let key = try keyFile.map { try StoreKey.file(URL(fileURLWithPath: $0)) } ?? .none
        return try await .open(URL(fileURLWithPath: folder), key: key)
    }

    /// Appends segments at full speed.
    func write(to store: TranscriptStore) async throws {
        let writer = try await store.begin(title: "Until killed", source: "test")
        for number in 0... {
            let start = Double(number), text = " number \(number)"
            let segment = LiveSegment(
                id: number, start: start, end: start + 1, text: text, isFinal: true,
                words: [Word(rawText: text, start: start, end: start + 1, probability: 1)], utterance: number / 4)
            try await writer.append([segment], partial: " after \(number)")
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
        }
    }
#else
    print("StenoStoreTool was built without the trait Store.")
#endif
