import { setTimeout as sleep } from "node:timers/promises";
import { type FakeServer, startFakeServer } from "../../sdk/test/fake-server.ts";

export interface FaultyProxy extends FakeServer {
  /** Resolves when nothing that was sent is on its way any more. */
  quiet(): Promise<void>;
  faults: Record<Fault, number>;
}

type Fault = "none" | "slow" | "refused" | "no-answer" | "late";

/**
 * A network between the SDK and the server that does what networks do, by a seeded dice: delays, refuses before the
 * server sees the request, loses the answer after it, or cuts the connection and still delivers the request later.
 */
export async function startFaultyProxy(
  serverUrl: string,
  random: () => number,
  maxDelayMs: number,
): Promise<FaultyProxy> {
  const underWay = new Set<Promise<unknown>>();
  const faults: Record<Fault, number> = { none: 0, slow: 0, refused: 0, "no-answer": 0, late: 0 };
  const forward = (path: string, authorization: string, body: string) => {
    const sent = fetch(serverUrl + path, { method: "POST", headers: { authorization }, body }).then(
      async (answer) => ({
        status: answer.status,
        text: await answer.text(),
      }),
    );
    underWay.add(sent);
    void sent.catch(() => {}).then(() => underWay.delete(sent));
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
              ? "no-answer"
              : "late";
    faults[fault]++;
    if (fault === "refused") return void response.socket?.destroy();
    if (fault === "late") {
      response.socket?.destroy();
      const late = sleep(delayMs).then(() => forward(path, authorization, body));
      underWay.add(late);
      await late.catch(() => {});
      underWay.delete(late);
      return;
    }
    if (fault === "slow") await sleep(delayMs / 2);
    const answer = await forward(path, authorization, body);
    if (fault === "no-answer") return void response.socket?.destroy();
    if (fault === "slow") await sleep(delayMs / 2);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.text);
  });
  return {
    ...standIn,
    faults,
    async quiet() {
      while (underWay.size > 0) await Promise.allSettled([...underWay]);
    },
  };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
