import { shorten } from "./shorten.ts";

const SPECIAL = /[\\*_~`|>[\]()#@<!]/g;
const isSpecial = (character: string) => /[\\*_~`|>[\]()#@<!]/.test(character);

/** Shows a text as it is where Markdown is read. The limit holds for the escaped text. */
export function escapeMarkdown(text: string, maxLength: number): string {
  const short = shorten(text, maxLength, (one) => one.length + (isSpecial(one) ? 1 : 0));
  return short.replace(SPECIAL, (character) => `\\${character}`);
}
