import ArgumentParser
import CStenoKernels

/// `steno-benchmarks kernels`: measures each kernel.
struct KernelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kernels",
        abstract: "Measure each kernel on a model's shapes, as a share of the machine's roofline.",
        discussion: """
            The ceiling of a kernel is the roofline: the time for its arithmetic in registers or for reading its bytes from \
            where they are, whichever is longer. Decoder steps read their weights from memory, as in a model too large for \
            any cache. Errors of int8 are those of one product of random numbers, as a share of the \
            range of the float32 result.
            """)

    @OptionGroup var common: CommonArguments
    @Option(name: .long, help: "The channels of the model: tiny 384, base 512, small 768, medium 1024, large 1280.")
    var width = 512
    @Option(name: .long, help: "Only kernels whose name contains this.")
    var filter: String?

    func validate() throws {
        guard width > 0, width.isMultiple(of: 64), width <= 4096 else {
            throw ValidationError("--width must be a multiple of 64, up to 4096.")
        }
    }

    func run() {
        let pool = steno_pool_create(Int32(common.threads))
        defer { steno_pool_destroy(pool) }
        let (shared, alone) = (Ceilings(threads: common.threads), Ceilings(threads: 1))
        print("\(common.heading), width \(width)\n\n\(Kernel.header)")
        for make in kernels(pool) {
            // Created one at a time, because the weights of all together would not fit in memory.
            if let kernel = make() { print(kernel.row(kernel.isSerial ? alone : shared, runs: common.runs)) }
        }
    }

    private func kernels(_ pool: OpaquePointer?) -> [() -> Kernel?] {
        let products = Products(width: width, pool: pool)
        let rows = RowKernels(width: width, pool: pool)
        func product(_ shape: Products.Shape, _ precision: steno_format) -> () -> Kernel? {
            {
                isWanted("\(shape.name) \(precision == STENO_INT8 ? "int8" : "float32")")
                    ? products.kernel(shape, precision) : nil
            }
        }
        func other(_ name: String, _ make: @escaping () -> Kernel) -> () -> Kernel? {
            { isWanted(name) ? make() : nil }
        }
        var all: [() -> Kernel?] = products.convolutions.flatMap {
            [product($0, STENO_FLOAT32), product($0, STENO_INT8)]
        }
        for precision in [STENO_INT8, STENO_FLOAT32] {
            all += products.window.map { product($0, precision) }
            all += [1, 5].flatMap { products.step(rows: $0) }.map { product($0, precision) }
        }
        for precision in [STENO_INT8, STENO_FLOAT32] {
            let attentions = Attentions(width: width, precision: precision, pool: pool)
            all.append(other("encoder's attention") { attentions.encoder })
            all += [1, 5].map { count in other("cross-attention") { attentions.cross(rows: count) } }
            all += [1, 5].map { count in other("self-attention") { attentions.past(rows: count) } }
        }
        all += [1500, 1].map { count in other("layer norm") { rows.layerNorm(rows: count) } }
        all.append(other("log softmax") { rows.logSoftmax })
        all += [1, 10].map { count in other("best") { rows.top(count) } }
        return all
    }

    private func isWanted(_ name: String) -> Bool { filter.map { name.contains($0) } ?? true }
}
