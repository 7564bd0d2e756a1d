// Loads damaged model files, or works for an hour, in a separate process, so that only this memory is measured.
//
//     StenoFuzzTool <subject> <count>     loads `count` mutations of a subject and decodes with what loads
//     StenoFuzzTool load <folder>         loads a model in float32
//     StenoFuzzTool hour <lanes>          transcribes an hour of audio
//     StenoFuzzTool stream <seconds>      reads that much audio from a pipe
//     StenoFuzzTool descriptors <file>    reads a file a hundred times through ffmpeg, and prints what stays open
//     StenoFuzzTool unwaited <file>       reads a file where the system keeps no exit status of ended programs
//     StenoFuzzTool sessions <rounds>     runs live sessions and calls, and prints what memory remains
//     StenoFuzzTool push <blocks>         pushes blocks of audio as a device does
//
// Prints lines of a name and a number: the outcomes for the files, and the peak memory.

import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let first = arguments.first, let last = arguments.last else {
    FileHandle.standardError.write(Data("usage: StenoFuzzTool <subject> <count> | load <folder>\n".utf8))
    exit(64)
}
do {
    switch (first, Int(last)) {
    case ("load", _): try MemoryOfLoading.report(URL(fileURLWithPath: last))
    case ("descriptors", _): try OpenDescriptors.report(URL(fileURLWithPath: last))
    case ("unwaited", _): try UnwaitedPrograms.report(URL(fileURLWithPath: last))
    case ("hour", let lanes?): try MemoryOfAnHour.transcribe(batchSize: lanes)
    case ("sessions", let rounds?): MemoryOfSessions.report(rounds: rounds)
    case ("push", let blocks?): try PushedAudio.push(blocks: blocks)
    case ("stream", let seconds?): try MemoryOfAnHour.read(seconds: seconds)
    default:
        guard let count = Int(last) else { throw CocoaError(.formatting) }
        if let subject = FuzzSubject(rawValue: first) {
            try subject.run(count: count)
        } else if let subject = MoonshineFuzzSubject(rawValue: first) {
            try subject.run(count: count)
        } else {
            throw CocoaError(.formatting)
        }
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
