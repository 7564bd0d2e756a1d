import Foundation
import StenoCore

/// Divides windows into two groups by their voices: normalised cuts (Shi and Malik 2000), then two means.
enum SpectralBisection {
    /// Each window is connected to this share of the others, the most similar ones.
    private static let neighbours = 0.2
    private static let iterations = 60

    /// Whether each window is in the second group; nil if one group would be empty.
    static func divide(_ windows: [SpeakerEmbedding]) -> [Bool]? {
        guard windows.count >= 2 else { return nil }
        let eigenvector = secondEigenvector(affinities(windows), start: direction(windows))
        return refined(windows, bestThreshold(eigenvector))
    }

    /// [n, n]: the fourth power of each window's similarity to its neighbours; symmetric.
    private static func affinities(_ windows: [SpeakerEmbedding]) -> [Float] {
        let count = windows.count
        var all = [Float](repeating: 0, count: count * count)
        for row in 0..<count {
            for column in 0..<row {
                let similarity = (1 + windows[row].dot(windows[column])) / 2
                all[row * count + column] = similarity
                all[column * count + row] = similarity
            }
        }
        let kept = max(1, Int((Double(count) * neighbours).rounded(.up)))
        let limits = (0..<count).map { row in all[row * count..<(row + 1) * count].sorted(by: >)[min(kept, count) - 1] }
        for row in 0..<count {
            for column in 0..<row {
                let similarity = all[row * count + column]
                let squared = similarity * similarity
                let value = similarity >= min(limits[row], limits[column]) ? squared * squared : 0
                all[row * count + column] = value
                all[column * count + row] = value
            }
        }
        return all
    }

    /// Where the iteration starts: the similarity to the window least like the first, minus that to the first.
    private static func direction(_ windows: [SpeakerEmbedding]) -> [Float] {
        let first = windows.map { $0.dot(windows[0]) }
        let far = first.indices.min { first[$0] < first[$1] } ?? 0
        return zip(windows, first).map { $0.dot(windows[far]) - $1 }
    }

    /// The second eigenvector of the random walk on the graph, by power iteration without the first.
    private static func secondEigenvector(_ affinities: [Float], start: [Float]) -> [Float] {
        let count = start.count
        let roots = (0..<count).map { row in
            (affinities[row * count..<(row + 1) * count].reduce(0, +) + 1e-6).squareRoot()
        }
        let length = roots.reduce(0) { $0 + $1 * $1 }.squareRoot()
        let first = roots.map { $0 / length }
        var vector = zip(start, roots).map { $0 * $1 }
        for _ in 0..<iterations {
            remove(first, from: &vector)
            let scaled = zip(vector, roots).map { $0 / $1 }
            let next = (0..<count).map { row in
                // (N + I) / 2 has no negative eigenvalues, so the iteration cannot converge to one.
                (dot(affinities, row: row, scaled) / roots[row] + vector[row]) / 2
            }
            vector = next
        }
        remove(first, from: &vector)
        return zip(vector, roots).map { $0 / $1 }
    }

    private static func dot(_ matrix: [Float], row: Int, _ vector: [Float]) -> Float {
        matrix.withUnsafeBufferPointer { matrix in
            vector.withUnsafeBufferPointer { vector in
                var sum: Float = 0
                let start = row * vector.count
                for column in 0..<vector.count { sum += matrix[start + column] * vector[column] }
                return sum
            }
        }
    }

    /// Makes a vector orthogonal to another of length 1, and its own length 1.
    private static func remove(_ other: [Float], from vector: inout [Float]) {
        let part = zip(vector, other).reduce(0) { $0 + $1.0 * $1.1 }
        vector = zip(vector, other).map { $0 - part * $1 }
        let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        if length > 0 { vector = vector.map { $0 / length } }
    }

    /// Divides numbers where the sum of squares within both groups is smallest.
    private static func bestThreshold(_ values: [Float]) -> [Bool] {
        let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
        let total = values.reduce(0) { $0 + Double($1) }
        var below = 0.0
        var best = (gain: -Double.infinity, count: 1)
        for count in 1..<values.count {
            below += Double(values[order[count - 1]])
            let above = total - below
            let gain = below * below / Double(count) + above * above / Double(values.count - count)
            if gain > best.gain { best = (gain, count) }
        }
        var isAbove = [Bool](repeating: false, count: values.count)
        for index in order[best.count...] { isAbove[index] = true }
        return isAbove
    }

    /// Gives each window to the mean it is more similar to, until nothing changes.
    private static func refined(_ windows: [SpeakerEmbedding], _ start: [Bool]) -> [Bool]? {
        var groups = start
        for _ in 0..<8 {
            guard let below = SpeakerEmbedding.mean(windows.indices.filter { !groups[$0] }.map { windows[$0] }),
                let above = SpeakerEmbedding.mean(windows.indices.filter { groups[$0] }.map { windows[$0] })
            else { return nil }
            let next = windows.map { $0.dot(above) > $0.dot(below) }
            if next == groups { break }
            groups = next
        }
        return groups.contains(true) && groups.contains(false) ? groups : nil
    }
}
