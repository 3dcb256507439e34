/** The word that a misspelt one most likely stands for; undefined where none is near. */
export function nearest(word: string, choices: Iterable<string>): string | undefined {
  let best: string | undefined;
  // A third of it wrong is no slip any more.
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const choice of choices) {
    const edits = editsBetween(word, choice);
    if (edits >= least) continue;
    least = edits;
    best = choice;
  }
  return best;
}

/** How many letters to put in, take out, change, or swap with their neighbour. */
function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let edits = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (i > 1 && j > 1 && isSwap) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      next.push(edits);
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
