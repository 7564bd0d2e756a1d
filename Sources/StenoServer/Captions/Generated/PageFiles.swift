#if Server
    /// The files of the captions page, by their paths in `Captions/Page`.
    enum PageFiles {
        /// All of them.
        static let all = [documents, styles, scripts, locales].reduce(into: [:]) { all, some in
            all.merge(some) { first, _ in first }
        }
    }
#endif
