import { setTimeout as sleep } from "node:timers/promises";
import { HttpError } from "./http-error.ts";

/**
 * A user's request that is refused waits before the response. A client that tries again at once, in a loop, would otherwise
 * keep the server busy with refusals.
 */
export const pauseRefusal = () => sleep(1_000);

/** Refuses a user's request with 429 after a pause. */
export async function refuseSlowly(text: string, retryAfterSeconds: number): Promise<never> {
  await pauseRefusal();
  throw HttpError.tooManyRequests(text, retryAfterSeconds);
}
