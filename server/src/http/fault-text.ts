import { z } from "zod";

/** Words of our own for the faults that schemas leave to zod; they are said of a field. */
z.config({
  customError(issue) {
    switch (issue.code) {
      case "invalid_type":
        return issue.input === undefined ? "is required" : `must be of type ${issue.expected}`;
      case "invalid_value":
        return `must be one of: ${issue.values.join(", ")}`;
      case "too_small":
        return `must have at least ${issue.minimum} characters`;
      case "too_big":
        return `must have at most ${issue.maximum} characters`;
      default:
        return undefined;
    }
  },
});

/**
 * A fault of one field in words a caller can act on. A whole sentence stands as it is; what is none is said of its
 * field: `password: must have at least 10 characters`.
 */
export function faultText(field: string | undefined, message: string): string {
  const isSentence = /^[A-Z].*\.$|^Invalid \w+\. Must be one of: /.test(message);
  return field && !isSentence ? `${field}: ${message}` : message;
}
