import Testing

@testable import StenoCore

/// Pickles, written by Python's `pickle` or by an attacker.
struct PickleReaderTests {
    private static func read<Result>(_ bytes: [UInt8], _ use: (PickleValue) throws -> Result) throws -> Result {
        try bytes.withUnsafeBytes { try PickleReader.read($0, path: "data.pkl", use: use) }
    }

    private static func refuse(_ bytes: [UInt8], _ code: StenoError.Code = .modelDamaged, says reason: String) {
        expectError(code, says: "data.pkl", reason) { try read(bytes) { _ in } }
    }

    /// `pickle.dumps({"a": [1, 300, 70000, -1], "b": (True, None, 1.5, 2**40)}, 2)`.
    private static let plain: [UInt8] =
        [0x80, 2] + Array("}q\0(X\u{1}\0\0\0aq\u{1}]q\u{2}(K\u{1}M,\u{1}".utf8)
        + [0x4A, 0x70, 0x11, 1, 0, 0x4A, 0xFF, 0xFF, 0xFF, 0xFF] + Array("eX\u{1}\0\0\0bq\u{3}(".utf8)
        + [0x88, 0x4E, 0x47, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 0x8A, 6, 0, 0, 0, 0, 0, 1] + Array("tq\u{4}u.".utf8)

    /// The items of a list, or the keys and values of a dictionary.
    private static func items(_ value: PickleValue) throws -> PickleContainer {
        switch value {
        case .list(let container), .dictionary(let container): return container
        default: throw StenoError(.modelDamaged, "There is no container.")
        }
    }

    @Test func plainValuesAreRead() throws {
        try Self.read(Self.plain) { value in
            let pairs = try Self.items(value).pairs
            #expect(pairs.map(\.key) == ["a", "b"])
            #expect(try Self.items(pairs[0].value).items.map(\.integer) == [1, 300, 70_000, -1])
            let items = try #require(pairs[1].value.items)
            #expect(items.map { "\($0)" } == ["flag(true)", "none", "real(1.5)", "integer(1099511627776)"])
        }
    }

    /// What `__reduce__` of a hostile object gives: a function of Python and its arguments.
    @Test(arguments: [
        ("cposix\nsystem\n(X\u{4}\0\0\0truetR.", "posix.system"), ("cos\nsystem\n(X\u{4}\0\0\0truetR.", "os.system"),
        ("c__builtin__\neval\n(X\u{1}\0\0\01tR.", "__builtin__.eval"), ("cbuiltins\nexec\n)R.", "builtins.exec"),
        ("csubprocess\nPopen\n)\u{81}.", "subprocess.Popen"), ("cnumpy.core.multiarray\nscalar\n)R.", "numpy"),
        ("ctorch.utils\nFloatStorage\n)R.", "torch.utils.FloatStorage"), ("ctorch\nload\n)R.", "torch.load"),
    ])
    func noFunctionIsEverCalled(program: String, name: String) {
        let bytes: [UInt8] = [0x80, 2] + program.unicodeScalars.map { UInt8($0.value) }
        Self.refuse(bytes, .modelUnsupported, says: name)
    }

    /// Protocol 4 takes the names from the stack, where they may have been put together.
    @Test func namesOnTheStackAreCheckedToo() {
        let bytes: [UInt8] =
            [0x80, 4, 0x8C, 2] + Array("os".utf8) + [0x8C, 6] + Array("system".utf8) + [0x93, 0x29, 0x52, 0x2E]
        Self.refuse(bytes, .modelUnsupported, says: "os.system")
    }

    @Test func knownClassesAreOnlyNames() {
        Self.refuse([0x80, 2] + Array("ctorch\nFloatStorage\n)R.".utf8), .modelUnsupported, says: "torch.FloatStorage")
        Self.refuse([0x80, 2] + Array("K\u{1}K\u{2}b.".utf8), .modelUnsupported, says: "object with a state")
    }

    @Test func damageIsNamed() {
        let cases: [(program: [UInt8], reason: String)] = [
            ([], "ends too early"), ([0x80, 2], "ends too early"), ([0x80, 9, 0x2E], "protocol 9"), ([0xFF], "unknown"),
            ([0x2E], "not there"), ([0x85, 0x2E], "not there"), (Array("h\u{5}.".utf8), "no value 5"),
            (Array("t.".utf8), "no mark"), (Array("(K\u{1}u.".utf8), "key without"),
            (Array("K\u{1}K\u{1}a.".utf8), "no list"), (Array("]K\u{1}K\u{1}s.".utf8), "no dictionary"),
            (Array("cos".utf8), "does not end"), (Array("X\0\0\0\u{7F}".utf8), "ends too early"),
            (Array("NQ.".utf8), "storage"),
            ([0x8A, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0x2E], "too large"),
        ]
        for (program, reason) in cases { Self.refuse(program, says: reason) }
    }

    @Test func nestingIsLimited() {
        Self.refuse([0x4E] + [UInt8](repeating: 0x85, count: 100) + [0x2E], says: "nested")
        Self.refuse([UInt8](repeating: 0x28, count: 100_000), says: "nested")
        Self.refuse([UInt8](repeating: 0x4E, count: 100_000), says: "too many values")
    }

    /// A list in itself, and a hundred thousand lists in each other: nothing leaks, and nothing exhausts the stack.
    @Test func cyclesAreReleased() throws {
        weak var kept: PickleContainer?
        try Self.read(Array("]q\0h\0a.".utf8)) { value in
            kept = try Self.items(value)
            #expect(kept?.items.count == 1)
        }
        #expect(kept == nil)
        let deep = [UInt8](repeating: 0x5D, count: 60_000) + [UInt8](repeating: 0x61, count: 59_999) + [0x2E]
        try Self.read(deep) { _ in }
    }
}
