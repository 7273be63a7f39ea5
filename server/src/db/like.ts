/** A LIKE pattern for "contains this text", in which the text's own %, _ and \ mean themselves. */
export const like = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
