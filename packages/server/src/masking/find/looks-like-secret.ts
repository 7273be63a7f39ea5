/** What stands for a value in documentation, templates and code. */
const PLACEHOLDER =
  /^(?:[<[({$%#@]|\*|x{3,}|\.{3}|process\.|os\.|env\.|import\.|self\.|this\.|config\.|settings\.|secrets?\.|args\.|params\.|request\.|req\.|vault:|arn:|https?:)|^(?:your|my|the|an?|some|new|old|example|sample|dummy|placeholder|redacted|masked|hidden|change_?me|insert|enter|replace)(?=\s|$)|^(?:your|example|placeholder|redacted)[-_]|[<({]/i;
const WORDS = new Set(
  "string str text bytes number integer int boolean bool true false null none nil undefined object array any optional required password passwd secret token value default empty missing invalid expired wrong incorrect unknown unset disabled enabled false-positive".split(
    " ",
  ),
);
const MIN_LENGTH = 6;
const MIN_ASSIGNED_LENGTH = 4;

/**
 * Whether a value behind the name of a secret is one, and not a word of a sentence, a type, a variable or a placeholder. `isAssigned` says
 * that it can only be a value: then also letters alone are one.
 */
export function looksLikeSecret(value: string, { isAssigned = false } = {}): boolean {
  if (value.length < (isAssigned ? MIN_ASSIGNED_LENGTH : MIN_LENGTH)) return false;
  if (PLACEHOLDER.test(value) || WORDS.has(value.toLowerCase())) return false;
  const hasDigit = /\d/.test(value);
  const hasLetter = /[A-Za-z]/.test(value);
  if (isAssigned) return hasLetter ? /^\S+$/.test(value) || hasDigit : hasDigit && value.length >= MIN_LENGTH;
  // In a sentence or in code: a date, a version or a path is none.
  if (!(hasDigit && hasLetter) || /^\d{1,4}[-/.:]/.test(value) || /^v?\d+(?:\.\d+)+$/.test(value))
    return false;
  return !/^[./~]/.test(value);
}
