import ArgumentParser
import CCeilings

/// `steno-benchmarks ceilings`: this machine's peak rates.
struct CeilingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ceilings", abstract: "Measure arithmetic in registers and reading from caches and memory.")

    @OptionGroup var common: CommonArguments

    func run() {
        let ceilings = Ceilings(threads: common.threads)
        print("\(common.threadCount), the best of 30 short runs\n\n| what | ceiling | with |\n|---|---|---|")
        let kinds = [(CEILING_FLOAT32, "float32"), (CEILING_BFLOAT16, "bfloat16"), (CEILING_INT8, "int8")]
        for (numbers, name) in kinds {
            guard let instruction = ceiling_instruction(numbers) else {
                print("| \(name) arithmetic | – | no instruction |")
                continue
            }
            let rate = Format.digits(ceilings.operations(numbers))
            print("| \(name) arithmetic | \(rate) GOP/s | \(String(cString: instruction)) |")
        }
        for size in Ceilings.blocks where size.trailingZeroBitCount.isMultiple(of: 2) || size == Ceilings.memory {
            print("| reading \(Format.size(size)) | \(Format.digits(ceilings.bytes(from: size))) GB/s | |")
        }
    }
}
