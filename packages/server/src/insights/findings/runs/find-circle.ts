import { isSameTurn } from "./is-same-turn.ts";

const MAX_LENGTH = 4;
const MIN_ROUNDS = 3;

/** The first turn of the circle in which a run ended: one to four turns, three times or more. */
export function findCircle(turns: readonly (readonly number[])[]): number | undefined {
  let start: number | undefined;
  for (let length = 1; length <= MAX_LENGTH; length += 1) {
    let first = turns.length - length;
    while (first > 0 && isSameTurn(turns[first - 1], turns[first - 1 + length])) first -= 1;
    if (turns.length - first >= length * MIN_ROUNDS && first < (start ?? turns.length)) start = first;
  }
  return start;
}
