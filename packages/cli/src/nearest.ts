const MAX_EDITS = 2;

/** The name that somebody who typed `given` probably meant: the one with the fewest edits, at most two, and less than half its letters. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, edits: countEdits(given, name) }))
    .filter(({ name, edits }) => edits <= MAX_EDITS && 2 * edits < name.length)
    .sort((one, other) => one.edits - other.edits);
  return best?.name;
}

/** How many letters to add, leave out or replace to make one word of the other. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1];
    for (const [index, wanted] of [...other].entries())
      next.push(
        Math.min(
          (next[index] ?? 0) + 1,
          (row[index + 1] ?? 0) + 1,
          (row[index] ?? 0) + (letter === wanted ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
