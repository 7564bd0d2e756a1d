import Foundation
import StenoCore

/// The `ternary.json` of a Hugging Face folder whose linear layers are ternary, such as Moondream's Parakeet Redux.
///
/// Of each listed module, `model.safetensors` has `<module>.qweight` and `<module>.scales` instead of `<module>.weight`.
struct TernaryManifest: Sendable {
    /// A module's weight.
    struct Module: Sendable {
        /// [outputs, inputs], or [outputs, inputs, 1] of a convolution.
        var shape: [Int]
        var hasBias: Bool
    }

    let modules: [String: Module]

    /// Reads the file of a folder; nil if there is none.
    ///
    /// - Throws: ``StenoError``: `modelDamaged`, or `modelUnsupported` for another format, which it names.
    init?(folder: URL) throws {
        guard let file = try ModelJSON.read(File.self, "ternary.json", in: folder) else { return nil }
        let path = folder.appendingPathComponent("ternary.json").path
        try file.check(path)
        var modules: [String: Module] = [:]
        for module in file.quantized_modules {
            let known = modules.updateValue(try module.checked(path), forKey: module.name)
            guard known == nil else {
                throw StenoError(
                    .modelDamaged, "\(path) lists \(module.name.prefix(80)) twice. Download the model again.")
            }
        }
        self.modules = modules
    }
}

// MARK: The file

/// What a model's `ternary.json` says.
private struct File: Decodable {
    struct Quantization: Decodable {
        var mode: String
        var group_size: Int
    }

    struct Packing: Decodable {
        var base: Int
        var elements_per_byte: Int
        var code_offset: Int
    }

    struct Module: Decodable {
        var name: String
        var out_features: Int
        var in_features: Int
        var group_size: Int?
        var as_conv1d: Bool?
        var has_bias: Bool?

        func checked(_ path: String) throws -> TernaryManifest.Module {
            // A size that no model has would overflow in products of sizes.
            let sizes = 1...1 << 24
            guard sizes.contains(out_features), sizes.contains(in_features) else {
                throw StenoError(
                    .modelDamaged,
                    "\(path) says that \(name.prefix(80)) has the shape [\(out_features), \(in_features)]. Download the "
                        + "model again.")
            }
            let group = group_size ?? TernaryPacking.groupSize
            guard group == TernaryPacking.groupSize, in_features % group == 0 else {
                throw StenoError(
                    .modelUnsupported,
                    "\(path) says that \(group) of the \(in_features) inputs of \(name.prefix(80)) share a scale; only "
                        + "whole groups of \(TernaryPacking.groupSize) are supported. Choose another model.")
            }
            return TernaryManifest.Module(
                shape: [out_features, in_features] + (as_conv1d == true ? [1] : []), hasBias: has_bias == true)
        }
    }

    var format: String
    var names: String
    var quant: Quantization
    var packing: Packing
    var quantized_modules: [Module]

    func check(_ path: String) throws {
        func require(_ field: String, _ found: String, _ known: String) throws {
            guard found == known else {
                throw StenoError(
                    .modelUnsupported,
                    "\(path) has \(field) \(found.prefix(80)); only \(known) is supported. Choose another model.")
            }
        }
        try require("the format", format, "thrush-ternary-v2")
        try require("the names", names, "hf")
        try require("the mode", quant.mode, "ternary")
        try require("the group size", "\(quant.group_size)", "\(TernaryPacking.groupSize)")
        try require("the base", "\(packing.base)", "3")
        try require("this number of weights in a byte:", "\(packing.elements_per_byte)", "5")
        try require("the code offset", "\(packing.code_offset)", "1")
    }
}
