import Steno

extension ModelEngineProvider {
    /// Creates a provider whose model is downloaded when an app prepares its assets.
    ///
    /// - Parameter name: As ``ModelDownloader/download(_:force:progress:)`` takes it.
    package init(
        downloading name: String, with downloader: ModelDownloader, options: LiveOptions = LiveOptions(),
        precision: Precision = .automatic, threads: Int? = nil
    ) throws {
        let reference = try ModelReference(name)
        let installer = ModelInstaller(
            description: "The model \(reference.name) has to be downloaded.",
            downloadSize: reference.known?.approximateSize
        ) { progress in
            try await downloader.download(name) { progress(AssetProgress($0)) }
        }
        self.init(
            model: name, options: options, locator: downloader.searched, precision: precision, threads: threads,
            installer: installer)
    }
}

extension AssetProgress {
    /// The progress of a download, as a sentence for users.
    package init(_ progress: DownloadProgress) {
        let part = progress.size > 0 ? ": \(ByteCount(progress.received)) of \(ByteCount(progress.size))" : ""
        self.init(fraction: progress.fraction, message: "Downloading the model\(part).")
    }
}
