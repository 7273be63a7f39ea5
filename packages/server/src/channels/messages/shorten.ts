/** The beginning of a text, with `…` where it goes on. `widthOf` is how much a character takes. */
export function shorten(
  text: string,
  maxLength: number,
  widthOf: (character: string) => number = (one) => one.length,
) {
  let width = 0;
  let end = 0;
  let cut = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > maxLength) return `${text.slice(0, cut)}…`;
    end += character.length;
    if (width <= maxLength - 1) cut = end;
  }
  return text;
}
