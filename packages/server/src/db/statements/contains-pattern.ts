/** A LIKE pattern for "contains this text", with %, _ and \ escaped. */
export const containsPattern = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
