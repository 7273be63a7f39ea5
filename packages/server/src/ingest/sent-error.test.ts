import pg from "pg";
import { expect, it } from "vitest";
import { isStatementTimeout } from "../db/is-statement-timeout.ts";
import { isTransient } from "../db/is-transient.ts";
import { HttpError } from "../http/http-error.ts";
import { fromSentError, toSentError } from "./sent-error.ts";

const sendAndReceive = (error: unknown) => fromSentError(structuredClone(toSentError(error)));

it("keeps the status, the text and the headers of a response", () => {
  const received = sendAndReceive(HttpError.tooManyRequests("Too much", 7));
  expect(received).toBeInstanceOf(HttpError);
  expect(received).toMatchObject({ status: 429, message: "Too much", headers: { "retry-after": "7" } });
});

it("keeps what tells a temporary database error, a statement that took too long and a bug apart", () => {
  const databaseError = (code: string) =>
    Object.assign(new pg.DatabaseError("canceling statement due to statement timeout", 0, "error"), {
      code,
      severity: "ERROR",
    });
  expect(isTransient(sendAndReceive(databaseError("40001")))).toBe(true);
  expect(isStatementTimeout(sendAndReceive(databaseError("57014")))).toBe(true);
  expect(isTransient(sendAndReceive(Object.assign(new Error("no"), { code: "ECONNREFUSED" })))).toBe(true);
  expect(isTransient(sendAndReceive(new Error("Connection terminated unexpectedly")))).toBe(true);
  const bug = new TypeError("undefined is not a function");
  const received = sendAndReceive(bug);
  expect(isTransient(received)).toBe(false);
  expect(received.stack).toBe(bug.stack);
});
