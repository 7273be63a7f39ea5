/**
 * A fault of one field in words a caller can act on. A whole sentence stands as it is; what is none is said of its
 * field: `password: must have at least 10 characters`.
 */
export function faultText(field: string | undefined, message: string): string {
  const isSentence = /^[A-Z].*\.$|^Invalid \w+\. Must be one of: /.test(message);
  return field && !isSentence ? `${field}: ${message}` : message;
}
