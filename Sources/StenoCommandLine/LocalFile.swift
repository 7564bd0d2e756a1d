package import Foundation

/// Paths as users type them.
package enum LocalFile {
    package static func url(_ path: String) -> URL { URL(fileURLWithPath: literal(path)) }

    /// A path that Foundation takes literally.
    ///
    /// The shell expands `~`, except in quotes and after `=`. So `~/talk.wav` refers to a folder called `~` if there is
    /// one, and to the home folder otherwise; Foundation would never find the former.
    package static func literal(_ path: String) -> String {
        guard path.hasPrefix("~") else { return path }
        let first = path.prefix { $0 != "/" }
        let isLiteral = first.count > 1 || access("./~", F_OK) == 0
        return isLiteral ? "./" + path : path
    }
}
