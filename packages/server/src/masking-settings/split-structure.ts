import { markOf } from "../masking/structure-only.ts";
import type { StoredRecord } from "./newest-records.ts";
import { RECORD_FIELDS, RECORD_NAMES } from "./walk-record.ts";

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface SplitRecord {
  /** The places whose value is replaced as a whole. */
  replaced: string[];
  /** The fields of which texts are left. */
  left: Json;
}

/** What the level `structure` replaces in a record, as it is returned, and what it leaves. */
export function splitStructure({ kind, value: record }: Pick<StoredRecord, "kind" | "value">): SplitRecord {
  const split: SplitRecord = { replaced: [], left: {} };
  if (!isRecord(record)) return split;
  const left: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(RECORD_FIELDS[kind])) {
    const value = record[name];
    if (value === null || value === undefined) continue;
    const replaced = () => split.replaced.push(`${RECORD_NAMES[kind]}.${name}`);
    if (field === "names" || field === "session" || field === "tags") left[name] = value;
    else if (field === "reasoning") {
      if (value !== "[masked]") replaced();
    } else if (field === "errors") {
      if (!/^\[error:[\da-f]{16}\]$/.test(String(value))) replaced();
    } else if (field === "chosen") {
      const options: unknown[] = name === "alternatives" && Array.isArray(value) ? value : [value];
      left[name] = name === "alternatives" ? options.map(nameOf) : nameOf(value);
      for (const option of options) if (losesContent(option)) replaced();
    } else if (markOf(value) !== value) replaced();
  }
  return { ...split, left };
}

/** Options keep their names. */
function nameOf(option: unknown): unknown {
  if (isRecord(option) && typeof option.name === "string") return { name: option.name };
  return typeof option === "string" ? option : null;
}

function losesContent(option: unknown): boolean {
  if (option === null || typeof option === "string") return false;
  return isRecord(option) && typeof option.name === "string"
    ? Object.keys(option).length > 1
    : markOf(option) !== option;
}
