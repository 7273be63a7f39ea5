import type { ParsedEvent, ParsedSpan } from "@whytrace/contract";
import type { DerivedTrace } from "../rows/derived-trace.ts";
import type { MergeState } from "../rows/merge-state.ts";
import type { TracePiece } from "../rows/trace-piece.ts";
import { addPiecePayloads, openPartsOf, type PackedPayloads, packedPayloads } from "./add-piece-payloads.ts";
import { completeSpans } from "./complete-spans.ts";
import type { MergeContext } from "./merge-context.ts";
import type { MergedVersions } from "./merge-span-versions.ts";
import type { Merge } from "./stored-pieces.ts";

/** The children of a piece as they are written. */
interface WrittenChildren {
  spans: ParsedSpan[];
  events: ParsedEvent[];
  unread: MergedVersions["unread"];
  /** Undefined if the trace is derived later. */
  derived: DerivedTrace | undefined;
}

/**
 * Gives the spans and events of a piece their positions, and adds their rows and payloads. Payloads of stored spans that log
 * records complete are packed again. Returns the open parts after that.
 */
export async function addPieceRows(
  context: MergeContext,
  { piece, existing, stored }: Merge,
  { spans, events, unread, derived }: WrittenChildren,
): Promise<Pick<MergeState, "openPart" | "openBytes">> {
  const { rows, workspace } = context;
  let nextSpan = existing?.childCounts[0] ?? 0;
  const payloads: PackedPayloads[] = [];
  for (const span of spans) {
    const position = stored.spans.get(span.id)?.position ?? nextSpan++;
    rows.addSpan(workspace, piece.id, position, span);
    const packed = packedPayloads("spans", position, span);
    if (!mustStay(unread, packed)) payloads.push(packed);
  }
  for (const [index, event] of events.entries()) {
    const position = stored.state.nextEvent + index;
    rows.addEvent(workspace, piece.id, position, event);
    payloads.push(packedPayloads("events", position, event));
  }
  if (existing && derived) {
    const isNew = new Set(spans.map(({ id }) => id));
    const others = loggedSpanIds(piece, derived).filter((id) => !isNew.has(id));
    payloads.push(...(await completeSpans(context, piece.id, others, derived)));
  }
  return addPiecePayloads(context, piece, payloads, openPartsOf(stored));
}

/** Whether the stored payloads of a span have to stay, because the later ones lack some and were not merged with them. */
function mustStay(unread: MergedVersions["unread"], { position, payloads }: PackedPayloads): boolean {
  const stored = unread.get(position) ?? [];
  return stored.some((length, index) => length !== null && payloads[index] === null);
}

/** The spans that log records of the piece complete. */
function loggedSpanIds({ loggedIds }: TracePiece, { completions }: DerivedTrace): string[] {
  if (loggedIds === "all") return [...completions.keys()];
  const logged = new Set(loggedIds);
  return [...completions].flatMap(([id, { callId = id }]) =>
    logged.has(id) || logged.has(callId) ? id : [],
  );
}
