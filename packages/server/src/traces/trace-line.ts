import type { StreamedTrace } from "./get-trace.ts";

const OPENING_BRACE = Buffer.from("{");
const LINE_END = Buffer.from("\n");
const [NEW_LINE = 10, CARRIAGE_RETURN = 13, SPACE = 32] = Buffer.from("\n\r ");

/** A trace as one line of NDJSON, chunk by chunk. It starts with `start` instead of its opening brace. */
export async function* traceLine(trace: StreamedTrace, start = OPENING_BRACE): AsyncGenerator<Buffer[]> {
  let isFirst = true;
  for await (const [first, ...rest] of trace.chunks()) {
    if (first) yield (isFirst ? [start, first.subarray(1), ...rest] : [first, ...rest]).map(toOneLine);
    isFirst = false;
  }
  yield [LINE_END];
}

/** JSON that was sent may contain line ends, as white space: a line must not. */
function toOneLine(json: Buffer): Buffer {
  if (!json.includes(NEW_LINE) && !json.includes(CARRIAGE_RETURN)) return json;
  return Buffer.from(json.map((byte) => (byte === NEW_LINE || byte === CARRIAGE_RETURN ? SPACE : byte)));
}
