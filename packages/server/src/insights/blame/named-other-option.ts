/** A sentence with one of these may speak against the option that it names. */
const AGAINST =
  /\b(?:not|no|never|cannot|without|instead|rather|unlike|avoid|skip|too|unnecessary|overkill|but|although|though|failed|fails|slow|expensive|unavailable|later|after|before|unless|if|would|could|might|already|than)\b|n['’]t\b/i;
/** Shorter names are ordinary words too often. */
const MIN_LENGTH = 4;

/**
 * The option that a reasoning speaks for although another one was chosen; null if there is none. It must name exactly one option, not
 * the chosen one, in a sentence that does not speak against it.
 */
export function namedOtherOption({
  option,
  options,
  reasoning,
}: {
  option: string;
  options: readonly string[];
  reasoning: string | null;
}): string | null {
  if (reasoning === null) return null;
  const text = normalize(reasoning);
  const named = options.filter((one) => isNamed(one, text));
  const [other] = named;
  if (other === undefined || named.length > 1 || other === option) return null;
  // The words of the chosen option may be spread over the text: "ask a human" for "ask_human".
  if (
    normalize(option)
      .split(" ")
      .every((word) => text.includes(word))
  )
    return null;
  const sentences = reasoning.split(/[.;!?\n]+/).filter((sentence) => isNamed(other, normalize(sentence)));
  return sentences.some((sentence) => AGAINST.test(sentence)) ? null : other;
}

function isNamed(option: string, text: string): boolean {
  const name = normalize(option);
  return name.length >= MIN_LENGTH && ` ${text} `.includes(` ${name} `);
}

/** "askHuman", "ask_human" and "Ask human" are the same name. */
const normalize = (text: string) =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]+/gu, " ")
    .trim();
