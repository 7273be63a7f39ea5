const ADDRESS = /[^\s<>'()[\]]+@[^\s<>'()[\]]+/g;
const QUOTED_NAME = /"[^"]*"/g;

/**
 * The addresses in a text as people paste it: one a line, with commas, of a table, or as in the head of a mail. A part without an
 * address stays as it is, so that the field can say that it is wrong.
 */
export function parseAddresses(text: string): string[] {
  const parts = text
    .replace(QUOTED_NAME, "")
    .split(/[,;\n\r]+/)
    .flatMap((part) => part.match(ADDRESS) ?? [part.trim()]);
  return [...new Set(parts.filter((part) => part !== "").map((part) => part.toLowerCase()))];
}
