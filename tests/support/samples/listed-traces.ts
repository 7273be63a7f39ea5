import { expect } from "vitest";
import { boot } from "../server/boot.ts";
import { decision, event, newSender, span, trace } from "./sample-traces.ts";

/** The start time of the trace with this index. */
export const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, "0")}:00.000Z`;

/** Traces that differ in the fields that lists sort and filter by. */
export const listedTraces = Array.from({ length: 25 }, (_, i) =>
  trace({
    name: `Run ${i}`,
    status: ["COMPLETED", "ERROR", "RUNNING"][i % 3],
    ...(i < 6 && { sessionId: i < 4 ? "session-a" : "session-b" }),
    startedAt: at(i),
    totalDuration: i,
    totalCost: i / 100,
    spans: Array.from({ length: i % 3 }, () => span({ input: "payload", metadata: { k: 1 } })),
    decisionPoints: Array.from({ length: i % 4 }, (_, n) =>
      decision({ reasoning: `because ${i}-${n}`, contextSnapshot: { n } }),
    ),
    events: Array.from({ length: i % 2 }, () => event({ metadata: {} })),
  }),
);

/** Starts a server with two users: one has `listedTraces`, the other has a single trace. */
export async function bootWithListedTraces() {
  const { client, db } = await boot();
  const user = await newSender(client, db);
  const other = await newSender(client, db);
  await user.send(listedTraces);
  await other.send([trace({ name: "Run elsewhere", sessionId: "session-a", decisionPoints: [decision()] })]);
  const get = async (path: string) => {
    const response = await user.get(path);
    expect(response.status, response.text).toBe(200);
    return response.json;
  };
  return { client, db, user, other, get };
}
