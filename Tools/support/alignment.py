"""Words of plain text, and the alignment of two lists with the fewest edits. Imports only the standard library."""


def words(text):
    """The words that are compared: lower case, letters, digits and apostrophes."""
    return "".join(c if c.isalnum() or c == "'" else " " for c in text.lower()).split()


def distance(reference, hypothesis):
    """The number of substitutions, deletions and insertions (Levenshtein distance)."""
    row = list(range(len(hypothesis) + 1))
    for i, word in enumerate(reference, 1):
        previous, row[0] = row[0], i
        for j, other in enumerate(hypothesis, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (word != other))
    return row[-1]


def align(reference, hypothesis):
    """The pairs of places (i, j) of an alignment with the fewest edits: (i, None) was deleted, (None, j) inserted.

    Of several alignments the one that, from the end on, prefers pairs to deletions, and those to insertions.
    """
    costs = [list(range(len(hypothesis) + 1))]
    for i, word in enumerate(reference):
        row, above = [i + 1], costs[-1]
        for j, other in enumerate(hypothesis):
            row.append(min(above[j + 1] + 1, row[j] + 1, above[j] + (word != other)))
        costs.append(row)
    pairs, i, j = [], len(reference), len(hypothesis)
    while i or j:
        if i and j and costs[i][j] == costs[i - 1][j - 1] + (reference[i - 1] != hypothesis[j - 1]):
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif i and costs[i][j] == costs[i - 1][j] + 1:
            i -= 1
            pairs.append((i, None))
        else:
            j -= 1
            pairs.append((None, j))
    return pairs[::-1]
