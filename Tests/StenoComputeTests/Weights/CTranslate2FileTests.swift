import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

struct CTranslate2FileTests {
    typealias Variable = ModelBinary.Variable

    static let floats: [Float] = [1, -2, 0.5, 0, 65504, 0.0078125]
    static var matrix: Variable { Variable("a/weight", [2, 3], floats: floats) }

    static func open<Result>(_ bytes: Data, _ body: (CTranslate2File) throws -> Result) throws -> Result {
        try SmallModel.withFolder { folder in
            let url = folder.appendingPathComponent("model.bin")
            try bytes.write(to: url)
            return try body(CTranslate2File(path: url.path, kind: "WhisperSpec"))
        }
    }

    static func open<Result>(_ binary: ModelBinary, _ body: (CTranslate2File) throws -> Result) throws -> Result {
        try open(binary.serialized().bytes, body)
    }

    static func read(_ bytes: Data) throws {
        try open(bytes) { file in
            for name in file.variables.keys { _ = try file.variable(name)?.floats() }
        }
    }

    @Test(arguments: UInt32(2)...6) func everyVersion(version: UInt32) throws {
        var binary = ModelBinary([
            Self.matrix, Variable("scalar", [], kind: 2, data: Data([0xFE, 0xFF])),
            Variable("flag", [], kind: 1, data: Data([3])),
        ])
        binary.version = version
        try Self.open(binary) { file in
            #expect(file.version == Int(version))
            let tensor = try #require(try file.variable("a/weight"))
            #expect(tensor.shape == [2, 3])
            #expect(try tensor.floats().array == Self.floats)
            #expect(try file.attribute("scalar") == -2)
            #expect(try file.attribute("flag") == 3)
            #expect(try file.attribute("a/weight") == nil)
            #expect(try file.variable("b") == nil)
        }
    }

    @Test func everyNumberFormat() throws {
        let half = Self.floats.flatMap { [UInt8(float16Bits($0) & 255), UInt8(float16Bits($0) >> 8)] }
        let brain = Self.floats.flatMap { [UInt8(bfloat16Bits($0) & 255), UInt8(bfloat16Bits($0) >> 8)] }
        let binary = ModelBinary([
            // An odd name length shifts the rest to odd addresses.
            Variable("h", [2, 3], kind: 4, data: Data(half)), Variable("br", [2, 3], kind: 5, data: Data(brain)),
            Variable("i", [2, 2], kind: 1, data: Data([127, 0x81, 1, 0])),
            Variable("i_scale", [2], floats: [127, 0.5]),
        ])
        try Self.open(binary) { file in
            #expect(try file.variable("h")?.floats().array == Self.floats)
            #expect(try file.variable("br")?.floats().array == [1, -2, 0.5, 0, 65536, 0.0078125])
            #expect(try file.variable("i")?.floats().array == [1, -1, 2, 0])
            let rows = try #require(try file.variable("i")).rows(1..<2, name: "part")
            #expect(try rows.floats().array == [2, 0])
        }
    }

    @Test func anAliasIsItsTarget() throws {
        var binary = ModelBinary([Self.matrix])
        binary.aliases = [("b/weight", "a/weight"), ("nothing", "nowhere")]
        try Self.open(binary) { file in
            let aliased = try file.variable("b/weight"), dangling = try file.variable("nothing")
            #expect(try aliased?.floats().array == Self.floats)
            #expect(dangling == nil)
        }
    }

    @Test func anAliasOfAnInt8TensorHasItsScales() throws {
        var binary = ModelBinary([
            Variable("i", [1, 2], kind: 1, data: Data([10, 20])), Variable("i_scale", [1], floats: [10]),
        ])
        binary.aliases = [("j", "i")]
        #expect(try Self.open(binary) { try $0.variable("j")?.floats().array } == [1, 2])
    }

    @Test func otherAndMissingFilesAreRejected() throws {
        for version in [0, 1, 7, 0x6767_6D6C, UInt32.max] {
            var binary = ModelBinary([Self.matrix])
            binary.version = version
            expectError(.modelUnsupported) { try Self.read(binary.serialized().bytes) }
        }
        var binary = ModelBinary([Self.matrix])
        binary.specification = "TransformerSpec"
        expectError(.modelUnsupported, says: "TransformerSpec") { try Self.read(binary.serialized().bytes) }
        expectError(.modelDamaged) { try Self.read(Data()) }
        try SmallModel.withFolder { folder in
            for path in [folder.path, folder.path + "/nothing"] {
                expectError(.modelNotFound, says: path) { try CTranslate2File(path: path, kind: "WhisperSpec") }
            }
        }
    }

    @Test(arguments: [UInt32(2), 6]) func everyTruncationIsRejected(version: UInt32) throws {
        var binary = ModelBinary([Self.matrix, Variable("b", [1], floats: [1])])
        binary.version = version
        binary.aliases = version >= 3 ? [("c", "a/weight")] : []
        let bytes = binary.serialized().bytes
        try Self.read(bytes)
        for length in 1..<bytes.count {
            expectError(.modelDamaged, "\(length) bytes") { try Self.read(bytes.prefix(length)) }
        }
    }

    @Test func wrongSizesAreRejected() {
        let most = UInt32.max
        let lies: [Variable] = [
            // Sizes that contradict the shape or the file's length.
            Variable("a", [2, 3], kind: 0, data: Data(count: 24), claimedSize: 20),
            Variable("a", [2, 3], kind: 0, data: Data(count: 24), claimedSize: 28),
            Variable("a", [2, 3], kind: 1, data: Data(count: 24)),
            Variable("a", [1 << 20, 1 << 10], kind: 1, data: Data(count: 24), claimedSize: 1 << 30),
            // Products beyond 64 bits, directly or hidden by a zero.
            Variable("a", [most, most, most], kind: 0, data: Data(count: 24)),
            Variable("a", [UInt32](repeating: most, count: 255), kind: 0, data: Data(count: 24)),
            Variable("a", [0, most, most, most], kind: 0, data: Data()),
            Variable("a", [most, 0], kind: 0, data: Data()),
            // A higher rank than any tensor has.
            Variable("a", [UInt32](repeating: 1, count: 9), kind: 0, data: Data(count: 4)),
            // Unknown types.
            Variable("a", [1], kind: 6, data: Data(count: 4)),
            Variable("a", [1], kind: 255, data: Data(count: 4)),
        ]
        for lie in lies {
            expectError(.modelDamaged, "\(lie.dimensions)", says: "damaged") {
                try Self.read(ModelBinary([lie]).serialized().bytes)
            }
        }
    }

    @Test func wrongCountsAndNamesAreRejected() {
        for count in [0, 1, 3, UInt32.max] {
            var binary = ModelBinary([Self.matrix, Variable("b", [1], floats: [1])])
            binary.claimedCount = count
            expectError(.modelDamaged, "\(count) of 2 variables") { try Self.read(binary.serialized().bytes) }
        }
        var bytes = ModelBinary([Self.matrix]).serialized().bytes
        bytes.replaceSubrange((bytes.count - 4)..<bytes.count, with: [255, 255, 255, 255])
        expectError(.modelDamaged) { try Self.read(bytes) }
        // Two tensors of one name.
        expectError(.modelDamaged, says: "a/weight") {
            try Self.read(ModelBinary([Self.matrix, Self.matrix]).serialized().bytes)
        }
    }

    @Test func aNameWithoutLength() {
        var bytes = ModelBinary([Self.matrix]).serialized().bytes
        bytes.replaceSubrange(4..<6, with: [0, 0])
        expectError(.modelDamaged) { try Self.read(bytes) }
    }

    /// Each has its message; scales of another shape must not even be read, since their size is wrong.
    @Test(
        arguments: [
            (nil, "has no scales"), (Variable("i_scale", [1], floats: [1]), "do not fit"),
            (Variable("i_scale", [3], floats: [1, 1, 1]), "do not fit"),
            (Variable("i_scale", [1, 2], floats: [1, 1]), "do not fit"),
            (Variable("i_scale", [], floats: [1]), "do not fit"),
            (Variable("i_scale", [2], kind: 4, data: Data(count: 4)), "do not fit"),
            (Variable("i_scale", [2], floats: [1, 0]), "not positive"),
            (Variable("i_scale", [2], floats: [1, -1]), "not positive"),
            (Variable("i_scale", [2], floats: [.nan, 1]), "infinite or not"),
            (Variable("i_scale", [2], floats: [.infinity, 1]), "infinite or not"),
        ] as [(Variable?, String)])
    func scalesMustFit(scale: Variable?, message: String) {
        let weights = Variable("i", [2, 2], kind: 1, data: Data([1, 2, 3, 4]))
        expectError(.modelDamaged, says: message) {
            try Self.read(ModelBinary([weights] + (scale.map { [$0] } ?? [])).serialized().bytes)
        }
    }

    @Test func wholeNumbersAreNotWeights() throws {
        for (kind, size) in [(UInt8(2), 2), (3, 4)] {
            expectError(.modelUnsupported, says: "float16") {
                try Self.read(ModelBinary([Variable("w", [1], kind: kind, data: Data(count: size))]).serialized().bytes)
            }
        }
    }
}
