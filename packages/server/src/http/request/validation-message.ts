import { z } from "zod";

/** Our messages for schemas without a custom error. Each one completes "<field>: …". */
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

/** Prefixes a message with its field, `password: must have at least 10 characters`, unless it is a whole sentence. */
export function validationMessage(field: string | undefined, message: string): string {
  const isSentence = /^[A-Z].*\.$|^Invalid \w+\. Must be one of: /.test(message);
  return field && !isSentence ? `${field}: ${message}` : message;
}
