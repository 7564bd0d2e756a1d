import Foundation
import Steno
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
