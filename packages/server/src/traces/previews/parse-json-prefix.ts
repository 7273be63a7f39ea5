/** Parses JSON whose end may be missing: what is incomplete is closed or left out. Undefined if nothing is left. */
export function parseJsonPrefix(text: string): unknown {
  return (
    tryParse(text) ??
    closeJson(text)
      .map(tryParse)
      .find((value) => value !== undefined)
  );
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Two ways to complete the text: after its last character, and before its last incomplete member. */
function closeJson(text: string): string[] {
  const open: string[] = [];
  let isInString = false;
  let lastMember = { end: 0, closing: "" };
  let escapeStart = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === "\\") {
        escapeStart = at;
        at += text[at + 1] === "u" ? 5 : 1;
      } else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{" || character === "[") {
      open.push(character === "{" ? "}" : "]");
      lastMember = { end: at + 1, closing: closing(open) };
    } else if (character === "}" || character === "]") open.pop();
    else if (character === ",") lastMember = { end: at, closing: closing(open) };
  }
  // An escape sequence at the end may be incomplete.
  const end = isInString && escapeStart >= text.length - 6 ? escapeStart : text.length;
  return [
    text.slice(0, end) + (isInString ? '"' : "") + closing(open),
    text.slice(0, lastMember.end) + lastMember.closing,
  ];
}

const closing = (open: string[]) => open.toReversed().join("");
