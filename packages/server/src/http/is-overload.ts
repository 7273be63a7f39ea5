import { Overloaded } from "../concurrency/overloaded.ts";
import { HttpError } from "./http-error.ts";

/** Whether too much work is waiting, or the database was too slow. The same call may succeed later. */
export const isOverload = (error: unknown): boolean =>
  error instanceof Overloaded ||
  (error instanceof HttpError && (error.status === 429 || error.status === 503));
