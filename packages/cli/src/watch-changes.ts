import { setTimeout as sleep } from "node:timers/promises";
import type { Api } from "./api.ts";
import { CliError, EXIT } from "./cli-error.ts";

const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
/** The server sends a heartbeat every 15 s. */
const SILENCE_TIMEOUT_MS = 40_000;

/**
 * Yields when the stream of changes is open, and whenever traces have changed since. After a lost connection it continues
 * where it was, so no change is missed.
 */
export async function* watchChanges(api: Api, stopping: AbortSignal): AsyncGenerator<void> {
  let cursor: string | undefined;
  let retryMs = MIN_RETRY_MS;
  for (let isFirst = true; !stopping.aborted; isFirst = false) {
    try {
      for await (const { event, id } of readEvents(api, cursor, stopping)) {
        cursor = id ?? cursor;
        retryMs = MIN_RETRY_MS;
        if (event === "changes" || event === "resync" || (event === "ready" && isFirst)) yield;
      }
    } catch (error) {
      const isRefused = error instanceof CliError && error.exitCode === EXIT.notSignedIn;
      if (!stopping.aborted && (isFirst || isRefused)) throw error;
    }
    if (!stopping.aborted) await sleep(retryMs, undefined, { signal: stopping }).catch(() => {});
    retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
  }
}

/** Server-sent events until the connection ends. Of several events that arrive together, the last change stands for all. */
async function* readEvents(
  api: Api,
  cursor: string | undefined,
  stopping: AbortSignal,
): AsyncGenerator<{ event: string; id: string | undefined }> {
  const silence = new AbortController();
  const watch = setTimeout(() => silence.abort(), SILENCE_TIMEOUT_MS);
  try {
    const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const chunks = await api.stream(`/api/stream${query}`, AbortSignal.any([stopping, silence.signal]));
    let text = "";
    for await (const chunk of chunks) {
      watch.refresh();
      const blocks = (text + chunk).split("\n\n");
      text = blocks.pop() ?? "";
      const events = blocks.map((block) => ({
        event: /^event: (.*)$/m.exec(block)?.[1] ?? "",
        id: /^id: (.*)$/m.exec(block)?.[1],
      }));
      const changes = events.filter(({ event }) => event === "changes" || event === "resync");
      for (const other of events) if (!changes.includes(other)) yield other;
      const last = changes.at(-1);
      if (last) yield last;
    }
  } finally {
    clearTimeout(watch);
  }
}
