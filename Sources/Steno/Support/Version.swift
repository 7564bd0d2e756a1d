/// Which Steno this is.
public enum StenoVersion {
    /// The version, by semantic versioning; the change log says what is in it.
    public static let current = "0.1.0"
}
