import type { ParsedSpan, ParsedTrace } from "@whytrace/contract";
import type { BinaryRows } from "../../db/copy/binary-rows.ts";
import { columnOf } from "./record-columns.ts";

/** What a span says about the model it called, in the order of columns and responses. */
export const SPAN_MODEL_FIELDS = [
  "model",
  "inputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "outputTokens",
  "reasoningTokens",
  "priceSource",
] as const;

export const SPAN_MODEL_COLUMNS: string[] = SPAN_MODEL_FIELDS.map(columnOf);
export const TRACE_MODEL_COLUMNS = ["models", "model_costs", "is_cost_derived"];

export function writeSpanModel(rows: BinaryRows, span: ParsedSpan | undefined) {
  const usage = span?.usage;
  rows.text(usage?.model ?? null);
  rows.double(usage?.inputTokens ?? null);
  rows.double(usage?.cacheReadTokens ?? null);
  rows.double(usage?.cacheWriteTokens ?? null);
  rows.double(usage?.outputTokens ?? null);
  rows.double(usage?.reasoningTokens ?? null);
  rows.text(span?.priceSource ?? null);
}

export function writeTraceModels(rows: BinaryRows, trace: ParsedTrace) {
  const names = modelNames(trace);
  if (names) rows.textArray(names);
  else rows.text(null);
  // The binary form of jsonb is its version, 1, and the text.
  rows.text(trace.models?.length ? `\u0001${JSON.stringify(trace.models)}` : null);
  if (trace.isCostDerived === undefined) rows.text(null);
  else rows.boolean(trace.isCostDerived);
}

/** The models that a trace called, each once; null if it called none. */
export const modelNames = ({ models }: Pick<ParsedTrace, "models">): string[] | null =>
  models?.length ? [...new Set(models.map(({ model }) => model))] : null;
