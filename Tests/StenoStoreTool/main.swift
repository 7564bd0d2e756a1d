#if Store
    import Foundation

    // Works on a history in a process of its own:
    //
    //     StenoStoreTool write FOLDER [KEYFILE]          appends until it is killed; prints each acknowledged number
    //     StenoStoreTool measure FOLDER HOURS [KEYFILE]  times of appending and searching in a transcript so long

    let arguments = CommandLine.arguments.dropFirst()
    do {
        switch (arguments.first, arguments.count) {
        case ("write"?, 2...3):
            try await Writing.run(folder: arguments[2], keyFile: arguments.count > 2 ? arguments[3] : nil)
        case ("measure"?, 3...4):
            guard let hours = Double(arguments[3]) else { fallthrough }
            try await Measuring.run(
                folder: arguments[2], hours: hours, keyFile: arguments.count > 3 ? arguments[4] : nil)
        default:
            print("usage: StenoStoreTool write FOLDER [KEYFILE] | measure FOLDER HOURS [KEYFILE]")
            exit(64)
        }
    } catch {
        print(error)
        exit(1)
    }
#else
    print("StenoStoreTool was built without the trait Store.")
#endif
