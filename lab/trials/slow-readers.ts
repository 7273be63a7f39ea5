// 16 clients read a list of 20 traces with 9 MiB of metadata each at the same time; half of them never read a byte of the
// response. Passes if the server stays small, the others get every byte, and those that do not read are disconnected.
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { DEFAULT_LIMITS } from "@whytrace/testing/server/unlimited.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { LARGE_METADATA_BYTES, storeLargeTraces } from "./large-traces.ts";
import { peakRssMib, resetPeakRss, rssMib } from "./support/process-memory.ts";

const READERS = 16;
const MAX_RSS_MIB = 600;
const MIN_CUT_MS = 25_000;
const MAX_CUT_MS = 45_000;
const TRACES = 20;
const PATH = "/api/traces?limit=100";

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(database.drop);
  const server = await startTrialServer(database.url, DEFAULT_LIMITS);
  onCleanup(() => killServer(server));
  const pid = server.child.pid ?? 0;
  const { user, key } = await newTenant(server.url, database.url, LARGE_PLAN);
  await storeLargeTraces(server.url, key, TRACES);
  const beforeMib = rssMib(pid);
  resetPeakRss(pid);

  const cookie = user.cookie ?? "";
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  const reading = Array.from({ length: READERS / 2 }, () => readAll(server.url, cookie));
  const stalled = Array.from({ length: READERS / 2 }, () => stall(server.url, cookie));
  const isRead = await Promise.all(reading);
  const readMs = elapsed();
  const cutMs = await Promise.all(stalled.map((one) => one.then(elapsed)));
  const peakMib = peakRssMib(pid);

  console.log(
    `${isRead.filter(Boolean).length} of ${isRead.length} readers got every byte, the last after ${(readMs / 1_000).toFixed(1)} s; ` +
      `${cutMs.length} that did not read were disconnected after ${(Math.min(...cutMs) / 1_000).toFixed(1)} to ` +
      `${(Math.max(...cutMs) / 1_000).toFixed(1)} s; RSS ${beforeMib.toFixed(0)} MiB before, at most ${peakMib.toFixed(0)} MiB`,
  );
  return (
    isRead.every(Boolean) && cutMs.every((ms) => ms > MIN_CUT_MS && ms < MAX_CUT_MS) && peakMib < MAX_RSS_MIB
  );
});

/** Whether the response is complete: all traces with all their metadata, and the end of the JSON. */
function readAll(url: string, cookie: string): Promise<boolean> {
  return new Promise((resolve) => {
    const outgoing = request(url + PATH, { agent: false, headers: { cookie } });
    outgoing.once("error", () => resolve(false)).end();
    outgoing.once("response", (response: IncomingMessage) => {
      let bytes = 0;
      let end = "";
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        end = (end + chunk.subarray(-200).toString("latin1")).slice(-200);
      });
      response.once("error", () => resolve(false));
      response.once("end", () =>
        resolve(bytes > TRACES * LARGE_METADATA_BYTES && end.endsWith(`"totalPages":1}`)),
      );
    });
  });
}

/**
 * Reads nothing; resolves when the server has disconnected. A socket that is not read does not notice that, so it sends line
 * breaks, which HTTP allows between requests.
 */
function stall(url: string, cookie: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.write(`GET ${PATH} HTTP/1.1\r\nhost: stalled\r\ncookie: ${cookie}\r\n\r\n`);
  const probe = setInterval(() => socket.write("\r\n"), 500);
  return new Promise((resolve) => {
    socket
      .on("error", () => {})
      .once("close", () => {
        clearInterval(probe);
        resolve();
      });
  });
}
