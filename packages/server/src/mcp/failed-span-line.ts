import { escapeLine } from "./answer.ts";
import { codePlace } from "./code-place.ts";
import { parsed } from "./parsed.ts";
import { readRecord } from "./read-record.ts";
import { sliceText } from "./shorten.ts";
import type { ToolCall } from "./tool.ts";

/** Of input and output, as JSON text; less if escapes make the line long. */
const PAYLOAD_LENGTHS = [2_000, 1_000, 500, 100, 0];
const MAX_LINE_CHARACTERS = 8_000;
const MAX_MESSAGE_LENGTH = 1_000;

/** The span at which a run failed, as a line of an answer; undefined if it is gone. */
export async function failedSpanLine(
  call: ToolCall,
  traceId: string,
  spanId: string,
): Promise<string | undefined> {
  const fields = await readRecord(call, traceId, { kind: "spans", id: spanId });
  if (!fields) return undefined;
  const text = (name: string) => parsed(fields.get(name));
  const code = codePlace(fields);
  const message = text("statusMessage");
  for (const length of PAYLOAD_LENGTHS) {
    const line = escapeLine(
      JSON.stringify({
        failedSpan: {
          traceId,
          spanId,
          name: text("name"),
          type: text("type"),
          message: typeof message === "string" ? sliceText(message, 0, MAX_MESSAGE_LENGTH) : null,
          input: cut(fields.get("input"), length),
          output: cut(fields.get("output"), length),
          ...(code && { code }),
        },
      }),
    );
    if (line.length <= MAX_LINE_CHARACTERS) return line;
  }
  return undefined;
}

/** The beginning of a payload, as JSON text. */
function cut(json: string | undefined, length: number): string | null {
  if (json === undefined || json === "null") return null;
  return json.length <= length
    ? json
    : `${sliceText(json, 0, length)}… (${json.length - length} more characters)`;
}
