package enum StenoVersion {
    /// The version, following semantic versioning.
    package static let current = "0.1.0"
}
