/** One character of each class that a pattern can name by a letter. */
const CLASS_SAMPLES: Readonly<Record<string, string>> = { d: "7", w: "a", s: " ", D: "a", W: "-", S: "a" };
const MAX_LETTERS = 24;
/** What looks far ahead takes hundreds of times longer than what does not, already in texts of this length. */
export const HARD_TEXT_LENGTH = 16_384;

/**
 * Texts in which a pattern has to try much: made of what it is made of. A random mix of its letters keeps many attempts open, one letter
 * alone repeats what is repeated, and the letters in their order without the last one almost match.
 */
export function hardTexts(pattern: string): string[] {
  const letters = [...new Set(lettersOf(pattern))].slice(0, MAX_LETTERS);
  if (letters.length === 0) letters.push("a");
  const inOrder = lettersOf(pattern).join("") || "a";
  return [
    mixOf(letters, 1),
    mixOf(letters.slice(0, 2), 2),
    mixOf([...letters.slice(0, 4), " "], 3),
    ...letters.slice(0, 6).map((letter) => fill(letter)),
    fill(inOrder),
    fill(inOrder.slice(0, -1) || "a"),
    fill([...inOrder].reverse().join("")),
    fill(`${letters.join("")} `),
    fill(`${letters[0] ?? "a"} `),
  ];
}

const fill = (unit: string) =>
  unit.repeat(Math.ceil(HARD_TEXT_LENGTH / unit.length)).slice(0, HARD_TEXT_LENGTH);

/** The same text for the same letters, so that a pattern that was accepted is accepted again. */
function mixOf(letters: readonly string[], seed: number): string {
  let state = seed;
  let text = "";
  while (text.length < HARD_TEXT_LENGTH) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += letters[(state >>> 16) % letters.length] ?? "a";
  }
  return text.slice(0, HARD_TEXT_LENGTH);
}

/** What a pattern may match, a character for each of its parts, in their order. */
function lettersOf(pattern: string): string[] {
  const letters: string[] = [];
  const parts = pattern.matchAll(
    /\(\?[a-zA-Z<>:=P-]*|\{[\d,]*\}|\\[pP](?:\{\^?(?<group>\w+)\}|(?<letter>\w))|\\(?<escaped>.)|\[\^?(?<set>(?:\\.|\[:\^?\w+:\]|[^\]\\])+)\]|[()|*+?^$]|(?<dot>\.)|(?<plain>.)/gsu,
  );
  for (const { groups = {} } of parts) {
    const { group, letter, escaped, set, dot, plain } = groups;
    const property = group ?? letter;
    if (property !== undefined)
      letters.push(property.startsWith("N") ? "7" : property.startsWith("P") ? "!" : "a", "\u00e9");
    else if (escaped !== undefined) letters.push(...escapedLetters(escaped));
    else if (set !== undefined) letters.push(...setLetters(set));
    else if (dot !== undefined) letters.push("x");
    else if (plain !== undefined) letters.push(plain);
  }
  return letters;
}

function escapedLetters(escaped: string): string[] {
  const sample = CLASS_SAMPLES[escaped];
  if (sample !== undefined) return [sample];
  return /[A-Za-z\d]/.test(escaped) ? [] : [escaped];
}

/** The ends of the ranges of a set. */
function setLetters(set: string): string[] {
  const plain = set
    .replace(/\\(.)/g, (_, escaped: string) => escapedLetters(escaped).join(""))
    .replace(/\[:\^?\w+:\]/g, "a7");
  const letters = [...plain].filter(
    (letter, index, all) => letter !== "-" || index === 0 || index === all.length - 1,
  );
  return letters.slice(0, 4);
}
