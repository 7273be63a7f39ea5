import { setTimeout as sleep } from "node:timers/promises";
import { HttpError } from "../http/http-error.ts";
import type { ToolCall } from "./tool.ts";

const MAX_BYTES = 32 * 1024 * 1024;
const TOO_LARGE =
  "This is larger than 32 MiB, too large to read here. Use search with its traceId, or get_span for one of its records.";

/** Reads JSON within what the user may hold in memory and read per minute. */
export async function readJsonText(
  { budget, workspaceId }: Pick<ToolCall, "budget" | "workspaceId">,
  chunks: Iterable<Buffer[]> | AsyncIterable<Buffer[]>,
): Promise<string> {
  const hold = budget.memory.open(workspaceId);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    await hold.waitForRoom();
    for await (const chunk of chunks) {
      for (const piece of chunk) bytes += piece.length;
      hold.resize(bytes);
      if (bytes > MAX_BYTES) throw new HttpError(413, TOO_LARGE);
      pieces.push(...chunk);
    }
    budget.countBytes(workspaceId, bytes);
    const pauseMs = budget.pauseMs(workspaceId);
    if (pauseMs > 0) await sleep(pauseMs);
    return Buffer.concat(pieces).toString();
  } finally {
    hold.close();
  }
}
