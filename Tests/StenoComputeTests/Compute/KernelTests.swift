import CStenoKernelTests
import Foundation
import Testing

@_spi(Benchmarks) @testable import StenoCompute

/// The kernels of this machine, or those that `STENO_MAX_ISA` allows, in C (`Tests/CStenoKernelTests`); what fails is printed.
@Suite(.serialized) struct KernelTests {
    @Test(arguments: (0..<kernel_test_count()).map { String(cString: kernel_test_name($0)) })
    func equalTheirDefinitions(kernels: String) {
        for index in 0..<kernel_test_count() where String(cString: kernel_test_name(index)) == kernels {
            #expect(kernel_test_failures(index) == 0)
        }
    }
}

struct DispatchTests {
    @Test func theCapOnInstructionSetsApplies() throws {
        #if arch(arm64)
            let order = ["portable", "neon", "neondot", "neoni8mm"]
        #else
            let order = ["portable", "avx2", "avxvnni", "avx512", "avx512vnni", "amx"]
        #endif
        let chosen = try #require(order.firstIndex(of: Processor.instructionSet))
        let cap = ProcessInfo.processInfo.environment["STENO_MAX_ISA"]
        let most = try cap.map { try #require(order.firstIndex(of: $0), "STENO_MAX_ISA names no table: \($0)") }
        // The best table that the processor has and the cap allows, neither more nor less.
        #expect(chosen == order.indices.last { $0 <= most ?? $0 && Self.isSupported(order[$0]) })
    }

    /// The system's own list of the processor's features, which the kernels do not use.
    private static func isSupported(_ table: String) -> Bool {
        #if os(Linux)
            let flags = Set(
                ((try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? "").split(separator: "\n")
                    .first { $0.hasPrefix("flags") || $0.hasPrefix("Features") }?.split(separator: " ") ?? [])
            let needed: [String: [String]] = [
                "avx2": ["avx2", "fma", "f16c"], "avxvnni": ["avx2", "fma", "f16c", "avx_vnni"],
                "avx512": ["avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512vl", "avx512dq"],
                "avx512vnni": [
                    "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_vnni",
                ],
                "amx": ["avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_vnni", "amx_tile", "amx_int8"],
                "neondot": ["asimddp"], "neoni8mm": ["asimddp", "i8mm"],
            ]
            return (needed[table] ?? []).allSatisfy { flags.contains(Substring($0)) }
        #else
            // Without such a list, only the order of the tables is known.
            return table == Processor.instructionSet || table == "portable"
        #endif
    }

    @Test func physicalCoresAreAtMostTheProcessors() {
        #expect((1...ProcessInfo.processInfo.activeProcessorCount).contains(Processor.physicalCores))
    }
}
