import Foundation
import Steno
import StenoTestSupport

/// What a process has open after it has read many files through the program that it finds as ffmpeg.
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
