package import Foundation

/// Paths as they are typed.
package enum LocalFile {
    package static func url(_ path: String) -> URL { URL(fileURLWithPath: literal(path)) }

    /// A path that Foundation takes as it is.
    ///
    /// The shell expands `~`, save in quotes and after `=`. So `~/talk.wav` is in a folder called `~` where there is
    /// one, and in the home folder otherwise; Foundation never finds the former.
    package static func literal(_ path: String) -> String {
        guard path.hasPrefix("~") else { return path }
        let first = path.prefix { $0 != "/" }
        let isLiteral = first.count > 1 || access("./~", F_OK) == 0
        return isLiteral ? "./" + path : path
    }
}
