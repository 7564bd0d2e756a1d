import CCeilings
import Foundation
@_spi(Benchmarks) import Steno
@_spi(Benchmarks) import StenoEvaluation

/// A kernel with one shape: how to call it, and its necessary work.
struct Kernel {
    let name: String
    /// The number of multiplications and additions.
    var operations = 0.0
    /// The format of the numbers that are multiplied.
    var numbers = CEILING_FLOAT32
    /// The bytes that must be read and written.
    let bytes: Double
    /// The bytes that successive calls go through before they return to the same data, which determines the cache
    /// level.
    let workingSet: Int
    /// Whether it uses a single thread, however many there are.
    var isSerial = false
    /// The distance from float32's result, if it differs.
    var error: Deviation?
    /// Calls it; the argument is the call's index, which selects the memory it works on.
    let call: (Int) -> Void

    /// The minimum milliseconds on this machine, and whether arithmetic or memory is the bound.
    func floor(_ ceilings: Ceilings) -> (milliseconds: Double, bound: String) {
        let rate = ceilings.operations(numbers)
        let arithmetic = operations > 0 && rate > 0 ? operations / rate / 1e6 : 0
        let memory = bytes / ceilings.bytes(from: workingSet) / 1e6
        return arithmetic > memory ? (arithmetic, "arithmetic") : (memory, "memory")
    }

    /// Runs the measurement several times, each with enough calls for the clock's resolution.
    func measure(runs: Int) -> Measurements {
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
        return Measurements((0..<runs).map { _ in repeated(count) / Double(count) })
    }

    /// The table's header.
    static let header =
        "| kernel | ms | spread | GOP/s | GB/s | bound | of the roofline | error: max, mean |\n"
        + "|---|---|---|---|---|---|---|---|"

    /// The kernel's row in the table.
    func row(_ ceilings: Ceilings, runs: Int) -> String {
        let measurements = measure(runs: runs)
        let (least, bound) = floor(ceilings)
        let cells = [
            name, Format.digits(measurements.median),
            "\(Format.digits(measurements.least))–\(Format.digits(measurements.most))",
            operations > 0 ? Format.digits(operations / measurements.median / 1e6) : "–",
            Format.digits(bytes / measurements.median / 1e6), bound, Format.percent(least / measurements.median),
            error?.text ?? "–",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}

/// The distance between two lists of numbers, relative to the second one's range.
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
