// Loads damaged model files in a process of its own, whose memory nothing else uses.
//
//     StenoFuzzTool <subject> <count>     loads `count` mutations of a subject and decodes with what loads
//     StenoFuzzTool load <folder>         loads a model in float32
//
// What comes out are lines of a name and a number: what became of the files, and the most memory the process had.

import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let first = arguments.first, let last = arguments.last else {
    FileHandle.standardError.write(Data("usage: StenoFuzzTool <subject> <count> | load <folder>\n".utf8))
    exit(64)
}
do {
    if first == "load" {
        try MemoryOfLoading.report(URL(fileURLWithPath: last))
    } else {
        guard let subject = FuzzSubject(rawValue: first), let count = Int(last) else {
            throw CocoaError(.formatting)
        }
        try subject.run(count: count)
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
