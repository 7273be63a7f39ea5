/** Controls, line breaks, and characters that nobody sees or that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]+/gu;
/** Where mail programs, chats and pagers see the beginning of an address, or the dot inside of one. */
const LINK_PARTS = /(?<=:)(?=\/\/)|(?<=\bwww)(?=\.)|(?<=[\p{L}\p{N}])(?=\.\p{L}{2})|(?<=mailto)(?=:)/giu;
const ZERO_WIDTH_SPACE = "\u200b";

/**
 * A text that a run or a person chose, for messages that leave the server: it reads as it stands, and nothing in it becomes a link
 * or hides something. Whatever is put into a mail or a message to a channel goes through here.
 */
export const plainWords = (text: string): string =>
  text.replace(UNSEEN, " ").replace(LINK_PARTS, ZERO_WIDTH_SPACE);
