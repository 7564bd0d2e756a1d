/// The version of Steno.
public enum StenoVersion {
    /// The version, following semantic versioning.
    public static let current = "0.1.0"
}
