import { setTimeout as sleep } from "node:timers/promises";
import { type FakeServer, startFakeServer } from "../../../packages/sdk/test/fake-server.ts";

export interface FaultyProxy extends FakeServer {
  /** Resolves when no request is in flight. */
  waitUntilIdle(): Promise<void>;
  faults: Record<Fault, number>;
}

type Fault = "none" | "slow" | "refused" | "lost-response" | "late";

/**
 * A proxy between the SDK and the server that injects network faults at random, from a seed: it delays a request, drops
 * it, loses the response, or closes the connection and still delivers the request later.
 */
export async function startFaultyProxy(
  serverUrl: string,
  random: () => number,
  maxDelayMs: number,
): Promise<FaultyProxy> {
  const inFlight = new Set<Promise<unknown>>();
  const faults: Record<Fault, number> = { none: 0, slow: 0, refused: 0, "lost-response": 0, late: 0 };
  const forward = (path: string, authorization: string, body: string) => {
    const sent = fetch(serverUrl + path, { method: "POST", headers: { authorization }, body }).then(
      async (response) => ({
        status: response.status,
        text: await response.text(),
      }),
    );
    inFlight.add(sent);
    void sent.catch(() => {}).then(() => inFlight.delete(sent));
    return sent;
  };
  const standIn = await startFakeServer(async (request, response, body) => {
    const [path, authorization] = [request.url ?? "", request.headers.authorization ?? ""];
    const dice = random();
    const delayMs = random() * maxDelayMs;
    const fault: Fault =
      dice < 0.4
        ? "none"
        : dice < 0.55
          ? "slow"
          : dice < 0.7
            ? "refused"
            : dice < 0.85
              ? "lost-response"
              : "late";
    faults[fault]++;
    if (fault === "refused") return void response.socket?.destroy();
    if (fault === "late") {
      response.socket?.destroy();
      const late = sleep(delayMs).then(() => forward(path, authorization, body));
      inFlight.add(late);
      await late.catch(() => {});
      inFlight.delete(late);
      return;
    }
    if (fault === "slow") await sleep(delayMs / 2);
    const forwarded = await forward(path, authorization, body);
    if (fault === "lost-response") return void response.socket?.destroy();
    if (fault === "slow") await sleep(delayMs / 2);
    response.writeHead(forwarded.status, { "content-type": "application/json" }).end(forwarded.text);
  });
  return {
    ...standIn,
    faults,
    async waitUntilIdle() {
      while (inFlight.size > 0) await Promise.allSettled([...inFlight]);
    },
  };
}

/** A random number generator from 0 to 1 with a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
