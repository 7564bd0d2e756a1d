/// The precision in which a converted model stores its matrices.
package enum ConversionPrecision: String, Sendable, CaseIterable {
    /// Matrices in int8 with a scale for each row; everything else as in the source.
    case int8
    case float16, bfloat16, float32

    /// The format of a tensor, which may be stored in another one now.
    func format(stored: StorageFormat?, isMatrix: Bool) -> StorageFormat {
        switch self {
        case .float16: return .float16
        case .bfloat16: return .bfloat16
        case .float32: return .float32
        case .int8:
            guard !isMatrix else { return .int8 }
            guard let stored, stored == .float16 || stored == .bfloat16 else { return .float32 }
            return stored
        }
    }
}

/// The progress of a conversion.
package struct ConversionProgress: Sendable, Hashable {
    /// The number of tensors written.
    package var tensors: Int
    package var tensorCount: Int
    /// The number of bytes written.
    package var bytes: Int
    package var byteCount: Int
}
