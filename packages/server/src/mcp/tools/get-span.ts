import { z } from "zod";
import { HttpError } from "../../http/http-error.ts";
import { getChild } from "../../traces/get-child.ts";
import { escapeLine, MAX_DATA_CHARACTERS } from "../answer.ts";
import { INVALID_CURSOR } from "../page-cursor.ts";
import { readJsonText } from "../read-json-text.ts";
import { sliceText } from "../shorten.ts";
import { splitFields } from "../split-fields.ts";
import { defineTool } from "../tool.ts";

/** A longer field comes in pieces. */
const MAX_WHOLE_CHARACTERS = 2_000;
/** What whole fields may take together; a record has at most 21 fields. */
const MAX_WHOLE_TOTAL = 10_000;
const KINDS = { span: "spans", decision: "decisionPoints", event: "events" } as const;

export const getSpan = defineTool({
  name: "get_span",
  title: "Get a span, decision or event with its payloads",
  description:
    "One record of a trace as it was sent: input, output and metadata of a span, the options, reasoning and context of a " +
    "decision, the metadata of an event. The first line has all short fields. A long field follows in pieces: { field, from, " +
    "to, of, text }, where text is JSON from one character to another; continue with the cursor, or ask for one field.",
  input: z.strictObject({
    traceId: z.string().describe("The id of the trace"),
    id: z.string().describe("The id of the span, decision or event"),
    kind: z.enum(["span", "decision", "event"]).default("span").describe("What the id is of"),
    field: z.string().optional().describe("Only this field, for example output"),
    cursor: z
      .string({ error: INVALID_CURSOR })
      .regex(/^\w+:\d{1,9}$/, { error: INVALID_CURSOR })
      .optional()
      .describe("Continue: the cursor of the answer before"),
  }),
  async run(call, { traceId, id, kind, field, cursor }) {
    const { reads, workspaceId } = call;
    const child = await reads.run(workspaceId, (_db, client) =>
      getChild(client, workspaceId, traceId, { kind: KINDS[kind], id }),
    );
    if (!child) throw new HttpError(404, `The trace was not found, or it has no ${kind} with this id`);
    const json = await readJsonText(call, [child]);
    const fields = splitFields(json).filter(([name]) => field === undefined || name === field);
    if (fields.length === 0)
      throw new HttpError(400, `A ${kind} has no such field. Leave field out to see all`);
    return describeFields(fields, cursor);
  },
});

function describeFields(fields: [name: string, value: string][], cursor: string | undefined) {
  const whole: string[] = [];
  const large: [name: string, value: string][] = [];
  let wholeCharacters = 0;
  for (const [name, value] of fields) {
    // Escapes only add to it, and take long in a value of megabytes.
    if (value.length > MAX_WHOLE_CHARACTERS) {
      large.push([name, value]);
      continue;
    }
    const line = escapeLine(`${JSON.stringify(name)}:${value}`);
    const isWhole = line.length <= MAX_WHOLE_CHARACTERS && wholeCharacters + line.length <= MAX_WHOLE_TOTAL;
    if (isWhole) wholeCharacters += line.length;
    if (isWhole) whole.push(line);
    else large.push([name, value]);
  }
  const lines = cursor === undefined && whole.length > 0 ? [`{${whole.join(",")}}`] : [];
  let room = MAX_DATA_CHARACTERS - lines.reduce((sum, line) => sum + line.length + 1, 0);
  const [startName, startText = "0"] = cursor?.split(":") ?? [];
  let next: string | null = null;
  let isReached = startName === undefined;
  for (const [name, value] of large) {
    isReached ||= name === startName;
    if (!isReached) continue;
    const from = name === startName ? Number(startText) : 0;
    const piece = room > 500 ? fitPiece(name, value, from, room) : undefined;
    if (piece) {
      lines.push(piece.line);
      room -= piece.line.length + 1;
    }
    if ((piece?.to ?? 0) >= value.length) continue;
    next = `${name}:${piece?.to ?? from}`;
    break;
  }
  const counts = large.map(([name, value]) => `${name} (${value.length} characters)`);
  return {
    summary:
      counts.length === 0 ? "The whole record." : `In pieces, because they are long: ${counts.join(", ")}.`,
    lines,
    cursor: next,
  };
}

/** The longest part of a value from a position on whose line fits. */
function fitPiece(field: string, value: string, from: number, room: number) {
  for (let length = room; length > 0; length = Math.floor(length * 0.8)) {
    const text = sliceText(value, from, from + length);
    const to = from + text.length;
    const line = escapeLine(JSON.stringify({ field, from, to, of: value.length, text }));
    if (line.length < room) return { line, to };
  }
  return undefined;
}
