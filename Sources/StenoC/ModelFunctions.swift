import CSteno
import Foundation
import Steno
import StenoCore
import StenoWhisper

// The functions of `steno.h` for versions, memory and models; the header describes them.

/// `steno_version`, as the header describes it.
@_cdecl("steno_version")
public func stenoVersion() -> UnsafePointer<CChar>? { version }

/// Written once, and never freed.
nonisolated(unsafe) private let version = UnsafePointer(strdup(StenoVersion.current))

/// `steno_last_error`, as the header describes it.
@_cdecl("steno_last_error")
public func stenoLastError() -> UnsafePointer<CChar>? { steno_state_error() }

/// `steno_free`, as the header describes it.
@_cdecl("steno_free")
public func stenoFree(_ memory: UnsafeMutableRawPointer?) { free(memory) }

/// `steno_model_load`, as the header describes it.
@_cdecl("steno_model_load")
public func stenoModelLoad(
    _ name: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ model: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    call {
        let model = try required(model, "model")
        model.pointee = nil
        if let name, name.pointee == 0 {
            throw StenoError(
                .invalidOption,
                "The argument name is empty. Pass a name or a path, or NULL for the default model.")
        }
        let options = try OptionsText(options).loading()
        let precision = try precision(options.precision)
        let choice = choice(name.map { String(cString: $0) })
        let transcriber = try blocking {
            try await Transcriber.load(
                choice, precision: precision, threads: options.threads,
                maximumConcurrentCalls: options.maximumConcurrentCalls)
        }
        model.pointee = handle(transcriber)
        return STENO_OK
    }
}

private func choice(_ name: String?) -> ModelChoice {
    switch name {
    case nil: .automatic
    case "bundled": .bundled
    case .some(let name): .named(name)
    }
}

private func precision(_ name: String?) throws -> Precision {
    guard let name else { return .automatic }
    guard let precision = Precision(rawValue: name) else {
        let all = Precision.allCases.map(\.rawValue).joined(separator: ", ")
        throw StenoError(.invalidOption, "There is no precision “\(name)”. Use one of \(all).")
    }
    return precision
}

/// `steno_model_free`, as the header describes it.
@_cdecl("steno_model_free")
public func stenoModelFree(_ model: OpaquePointer?) { release { drop(model, Transcriber.self) } }

/// `steno_model_information`, as the header describes it.
@_cdecl("steno_model_information")
public func stenoModelInformation(
    _ model: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    call {
        let transcriber: Transcriber = try object(model, "model")
        return try give(transcriber.json, required(json, "json"))
    }
}

/// `steno_model_encode`, as the header describes it.
@_cdecl("steno_model_encode")
public func stenoModelEncode(
    _ model: OpaquePointer?, _ text: UnsafePointer<CChar>?,
    _ tokens: UnsafeMutablePointer<UnsafeMutablePointer<Int32>?>?, _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
    call {
        let transcriber: Transcriber = try object(model, "model")
        let encoded = try transcriber.tokenizer.encode(String(cString: required(text, "text")))
        return try give(encoded.map { Int32($0) }, required(tokens, "tokens"), required(count, "count"))
    }
}

/// `steno_model_decode`, as the header describes it.
@_cdecl("steno_model_decode")
public func stenoModelDecode(
    _ model: OpaquePointer?, _ tokens: UnsafePointer<Int32>?, _ count: Int,
    _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    call {
        let transcriber: Transcriber = try object(model, "model")
        let ids = try elements(tokens, "tokens", count).map { Int($0) }
        // A token 0 byte would end the string, and no model writes one.
        let decoded = try transcriber.tokenizer.decode(ids).replacing("\0", with: "")
        return try give(decoded, required(text, "text"))
    }
}

/// `steno_models`, as the header describes it.
@_cdecl("steno_models")
public func stenoModels(_ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    call(isThreaded: false) { try give(modelsJSON(), required(json, "json")) }
}
