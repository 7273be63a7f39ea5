/** A LIKE pattern for "contains this text", in which the text's own %, _ and \ mean themselves. */
export const containsPattern = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
