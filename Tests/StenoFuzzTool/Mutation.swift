import Foundation
import StenoTestSupport

enum Mutation {
    /// Wrong bytes, mostly in names, dimensions and sizes; sometimes a file cut or joined in the wrong place.
    static func ofModel(_ bytes: Data, _ tables: [Range<Int>], _ random: inout SplitMix64) -> Data {
        var mutated = bytes
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let table = tables[Int.random(in: 0..<tables.count, using: &random)]
            let inTables = Int.random(in: 0..<4, using: &random) > 0
            let place = Int.random(in: inTables ? table : 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3 where place < mutated.count: mutated[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 4...5 where place < mutated.count: mutated[place] = UInt8.random(in: 0...255, using: &random)
            case 6...8 where place + 4 <= mutated.count:
                let values: [UInt32] = [0, 1, 2, 63, 64, 65, 128, 10_000, .max, .max / 2, 0x7FC0_0000, 0x7F80_0000]
                let value = values[Int.random(in: 0..<values.count, using: &random)]
                withUnsafeBytes(of: value.littleEndian) { mutated.replaceSubrange(place..<place + 4, with: $0) }
            case 9: mutated = mutated.prefix(place)
            case 10 where place < mutated.count: mutated.removeSubrange(place..<min(mutated.count, place + 9))
            case 11 where place < mutated.count:
                mutated.insert(contentsOf: mutated[table.clamped(to: 0..<mutated.count)], at: place)
            default: break
            }
        }
        return mutated
    }

    /// A few kilobytes of aliases that turn existing tensors into up to 200 more layers on one side.
    static func ofAliases(_ binary: ModelBinary, _ random: inout SplitMix64) -> Data {
        var mutated = binary
        let side = Bool.random(using: &random) ? "encoder" : "decoder"
        let layers = Int.random(in: 1...200, using: &random)
        let names = binary.variables.map(\.name)
        let prefix = side + "/layer_0/"
        for layer in 1...layers {
            for name in names where name.hasPrefix(prefix) {
                // Occasionally one points elsewhere, at another alias, or at nothing.
                let isStray = Int.random(in: 0..<500, using: &random) == 0
                let target = isStray ? names[Int.random(in: 0..<names.count, using: &random)] : name
                mutated.aliases.append(("\(side)/layer_\(layer)/" + name.dropFirst(prefix.count), target))
            }
        }
        return mutated.serialized().bytes
    }

    /// Wrong bytes, mostly digits and signs, since numbers that parse do the harm; sometimes a part is repeated or the end is
    /// missing.
    static func ofText(_ bytes: Data, _ random: inout SplitMix64) -> Data {
        // A slice of a file keeps the file's indices.
        var mutated = Data(bytes)
        for _ in 0..<Int.random(in: 1...6, using: &random) where !mutated.isEmpty {
            let place = Int.random(in: 0..<mutated.count, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: mutated = mutated.prefix(place)
            case 1:
                let end = min(mutated.count, place + Int.random(in: 1...200, using: &random))
                mutated.insert(contentsOf: mutated[place..<end], at: Int.random(in: 0..<mutated.count, using: &random))
            case 2...11: mutated[place] = UInt8.random(in: 43...57, using: &random)
            default: mutated[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return mutated
    }
}
