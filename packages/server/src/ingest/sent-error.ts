import pg from "pg";
import { HttpError } from "../http/http-error.ts";

/** An error as a message between threads: a message loses the class of an error and its own fields. */
export interface SentError {
  kind: "http" | "database" | "other";
  message: string;
  stack: string | undefined;
  /** The fields by which errors are told apart; see handleErrors. */
  fields: Readonly<Record<string, unknown>>;
}

export function toSentError(error: unknown): SentError {
  if (!(error instanceof Error))
    return { kind: "other", message: String(error), stack: undefined, fields: {} };
  const { message, stack } = error;
  if (error instanceof HttpError)
    return { kind: "http", message, stack, fields: { status: error.status, headers: error.headers } };
  if (error instanceof pg.DatabaseError)
    return { kind: "database", message, stack, fields: { code: error.code, severity: error.severity } };
  return { kind: "other", message, stack, fields: "code" in error ? { code: error.code } : {} };
}

export function fromSentError({ kind, message, stack, fields }: SentError): Error {
  const error =
    kind === "http"
      ? new HttpError(500, message)
      : kind === "database"
        ? new pg.DatabaseError(message, message.length, "error")
        : new Error(message);
  return Object.assign(error, fields, stack !== undefined && { stack });
}
