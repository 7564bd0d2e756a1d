import CCeilings
import Foundation
@_spi(Benchmarks) import Steno

/// A kernel on one shape: how to call it, and what it has to do at least.
struct Kernel {
    let name: String
    /// Multiplications and additions.
    var operations = 0.0
    /// The numbers that are multiplied.
    var numbers = CEILING_FLOAT32
    /// The bytes that have to be read and written.
    let bytes: Double
    /// How many bytes one call after the other goes through before it comes to the same ones again: where they are.
    let workingSet: Int
    /// Whether one thread does it, however many there are.
    var isSerial = false
    /// How far the result is from float32's, if it is another.
    var error: Deviation?
    /// Calls it; a number that counts the calls chooses the memory it works on.
    let call: (Int) -> Void

    /// The milliseconds that this machine needs at least, and whether arithmetic or memory is the bound.
    func floor(_ ceilings: Ceilings) -> (milliseconds: Double, bound: String) {
        let rate = ceilings.operations(numbers)
        let arithmetic = operations > 0 && rate > 0 ? operations / rate / 1e6 : 0
        let memory = bytes / ceilings.bytes(from: workingSet) / 1e6
        return arithmetic > memory ? (arithmetic, "arithmetic") : (memory, "memory")
    }

    /// Calls it often enough for a clock, several times.
    func measure(runs: Int) -> Readings {
        let stopwatch = Stopwatch()
        var calls = 0
        func repeated(_ count: Int) -> Double {
            stopwatch.milliseconds {
                for _ in 0..<count {
                    call(calls)
                    calls += 1
                }
            }
        }
        var count = 1
        while repeated(count) < 5 { count *= 2 }
        return Readings((0..<runs).map { _ in repeated(count) / Double(count) })
    }

    /// The table's head.
    static let header =
        "| kernel | ms | spread | GOP/s | GB/s | bound | of the ceiling | error: max, mean |\n"
        + "|---|---|---|---|---|---|---|---|"

    /// The kernel's row.
    func row(_ ceilings: Ceilings, runs: Int) -> String {
        let readings = measure(runs: runs)
        let (least, bound) = floor(ceilings)
        let cells = [
            name, Format.digits(readings.median),
            "\(Format.digits(readings.least))–\(Format.digits(readings.most))",
            operations > 0 ? Format.digits(operations / readings.median / 1e6) : "–",
            Format.digits(bytes / readings.median / 1e6), bound, Format.percent(least / readings.median),
            error?.text ?? "–",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}

/// How far numbers are from others, as a share of the others' range.
struct Deviation {
    let most: Double
    let mean: Double

    init(_ values: [Float], from reference: [Float]) {
        let range = Double(max((reference.max() ?? 0) - (reference.min() ?? 0), .leastNormalMagnitude))
        let differences = zip(values, reference).map { Double(abs($0 - $1)) / range }
        most = differences.max() ?? 0
        mean = differences.reduce(0, +) / Double(max(differences.count, 1))
    }

    var text: String { "\(Self.power(most)), \(Self.power(mean))" }

    private static func power(_ value: Double) -> String { String(format: "%.1e", value) }
}
