#if os(Linux) || os(macOS)
    public import Foundation

    extension TemporaryFolder {
        /// Copies a program to a path in the folder, creating subfolders as needed, and returns its location.
        ///
        /// Another process writes it: a file open for writing cannot be run ("Text file busy"), and a process that another
        /// test starts at that moment would inherit this process's open file.
        @discardableResult
        public func install(_ program: URL, as path: String) throws -> URL {
            let place = url.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/install")
            process.arguments = ["-m", "755", program.path, place.path]
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
            return place
        }

        /// Copies a program, and links the wanted files and folders of its own folder next to the copy.
        public func install(_ program: URL, as path: String, linking isWanted: (String) -> Bool) throws -> URL {
            let copy = try install(program, as: path)
            let folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where isWanted(name) {
                let link = copy.deletingLastPathComponent().appendingPathComponent(name)
                try FileManager.default.createSymbolicLink(
                    at: link, withDestinationURL: folder.appendingPathComponent(name))
            }
            return copy
        }

        /// Writes a shell script that can be run, and returns its location.
        @discardableResult
        public func script(_ text: String, as path: String) throws -> URL {
            try install(write("#!/bin/sh\n\(text)\n", to: path + ".text"), as: path)
        }
    }
#endif
