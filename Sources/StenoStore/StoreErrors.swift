public import StenoCore

extension StenoError.Code {
    /// The key does not open this history, or an encrypted history was opened without one.
    public static let wrongKey = StenoError.Code("wrongKey")
    /// The history's database, or a text in it, is damaged.
    public static let historyDamaged = StenoError.Code("historyDamaged")
    /// The history has no such session.
    public static let sessionNotFound = StenoError.Code("sessionNotFound")
    /// Another program is recording into the session.
    public static let sessionInUse = StenoError.Code("sessionInUse")
}
