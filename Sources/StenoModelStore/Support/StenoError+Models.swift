public import StenoCore

extension StenoError.Code {
    /// The hub or the network did not deliver the files of a model, or delivered wrong ones.
    public static let downloadFailed = Self("downloadFailed")
    /// A download is needed, but `HF_HUB_OFFLINE` forbids the network.
    public static let offline = Self("offline")
    /// The disk has no space for a model.
    public static let diskFull = Self("diskFull")
}
