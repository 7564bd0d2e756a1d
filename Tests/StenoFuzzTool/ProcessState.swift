import Foundation
import Steno
import StenoCore
import StenoTestSupport

/// The descriptors open after reading many files through the program found as ffmpeg.
enum OpenDescriptors {
    static func report(_ file: URL) throws {
        let before = count
        var samples = 0
        for _ in 0..<100 { samples += try AudioFile.open(file).allSamples().count }
        print("samples", samples)
        print("growth", count - before)
    }

    private static var count: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

/// The memory of this process.
enum PeakMemory {
    /// The peak in bytes, including mapped files.
    static var bytes: Int {
        #if os(Linux)
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
            return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return Int(usage.ru_maxrss)
        #endif
    }

    /// Whether a sanitizer is active, whose own memory is many times the program's.
    static var isInstrumented: Bool {
        let program = dlopen(nil, RTLD_NOW)
        return dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
    }
}

/// What a file gives in a process whose ended programs leave no exit status behind.
enum UnwaitedPrograms {
    static func report(_ file: URL) throws {
        signal(SIGCHLD, SIG_IGN)
        do {
            print("samples", try AudioFile.open(file).allSamples().count)
        } catch let error as StenoError {
            print(error.code.description, 1)
        }
    }
}
