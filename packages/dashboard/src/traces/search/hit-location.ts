import type { SearchHit } from "@whytrace/contract";

const PAYLOADS = new Set<string>(["input", "output", "metadata"]);

/** The URL search parameters of the trace page that show a hit. */
export function hitLocation({ record: { kind, id }, field }: SearchHit, text: string) {
  const found = { q: text, field };
  if (kind === "trace") return found;
  if (kind === "decisionPoint") return { decision: id, ...found };
  if (kind === "event") return { event: id, ...found };
  return PAYLOADS.has(field) ? { span: id, tab: "io" as const, ...found } : { span: id, ...found };
}
