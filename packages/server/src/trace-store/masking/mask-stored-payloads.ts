import type { MaskingField } from "@whytrace/contract/schemas/masking/settings";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { MaskedFields } from "../../masking/masked-fields.ts";
import { PACKED_FIELDS, type PackedKind } from "../../payloads/packed-fields.ts";
import { DirectoryWriter, decodeDirectory } from "../../payloads/payload-directory.ts";
import { payloadsOf } from "../../payloads/unpack-parts.ts";
import { compress, decompress } from "../../payloads/zstd.ts";

/** Compressed bytes that are read together, if a single part has not more. */
const MAX_READ_BYTES = 2 * 1024 * 1024;

interface StoredPart {
  traceId: string;
  part: number;
  compressedBytes: number;
}

/**
 * Masks the packed payloads of traces that the caller has locked. Each part keeps its number and its children, also those that a later
 * part supersedes. Returns the traces in which something changed.
 */
export async function maskStoredPayloads(
  trx: Database,
  workspaceId: WorkspaceId,
  fieldsOf: ReadonlyMap<string, MaskedFields>,
): Promise<Set<string>> {
  const changed = new Set<string>();
  const { rows: parts } = await sql<StoredPart>`
    select trace_id, part, length(bytes) as compressed_bytes from trace_payloads
    where workspace_id = ${workspaceId} and trace_id = any(${textList([...fieldsOf.keys()])})
    order by trace_id, part`.execute(trx);
  for (let start = 0; start < parts.length; ) {
    const read = takeParts(parts, start);
    start += read.length;
    const { rows } = await sql<{ traceId: string; part: number; directory: Buffer; bytes: Buffer }>`
      select payloads.trace_id, payloads.part, payloads.directory, payloads.bytes
      from json_to_recordset(${JSON.stringify(read)}::json) as wanted ("traceId" text, part integer)
        join trace_payloads as payloads on payloads.workspace_id = ${workspaceId}
          and payloads.trace_id = wanted."traceId" and payloads.part = wanted.part
      order by payloads.trace_id, payloads.part`.execute(trx);
    for (const { traceId, part, directory, bytes } of rows) {
      const fields = fieldsOf.get(traceId);
      const masked = fields && (await maskPart(directory, bytes, fields));
      if (!masked) continue;
      changed.add(traceId);
      await sql`
        update trace_payloads set directory = ${masked.directory}, bytes = ${masked.bytes}
        where workspace_id = ${workspaceId} and trace_id = ${traceId} and part = ${part}`.execute(trx);
    }
  }
  return changed;
}

function takeParts(parts: readonly StoredPart[], start: number): StoredPart[] {
  let bytes = 0;
  const end = parts.findIndex((part, index) => {
    if (index < start) return false;
    bytes += part.compressedBytes;
    return index > start && bytes > MAX_READ_BYTES;
  });
  return parts.slice(start, end < 0 ? undefined : end);
}

/** Which field of masking each packed field is. */
const FIELDS: Readonly<Record<PackedKind, Readonly<Record<string, MaskingField>>>> = {
  spans: { input: "input", output: "output", metadata: "metadata" },
  events: { metadata: "events" },
};

/** Undefined if nothing changes. */
async function maskPart(
  directory: Buffer,
  bytes: Buffer,
  fields: MaskedFields,
): Promise<{ directory: Buffer; bytes: Buffer } | undefined> {
  const { contentLength, children } = decodeDirectory(directory);
  const content = await decompress(bytes, contentLength);
  const masked = await runInTimeSlices(maskChildren(content, children, fields));
  if (!masked) return undefined;
  const joined = Buffer.concat(masked.payloads);
  return { directory: masked.directory.encode(joined.length), bytes: await compress(joined) };
}

function* maskChildren(
  content: Buffer,
  children: ReturnType<typeof decodeDirectory>["children"],
  fields: MaskedFields,
): Generator<undefined, { directory: DirectoryWriter; payloads: Uint8Array[] } | undefined> {
  const directory = new DirectoryWriter();
  const payloads: Uint8Array[] = [];
  let isChanged = false;
  for (const child of children) {
    directory.addChild(child.kind, child.position);
    for (const [index, stored] of payloadsOf(content, child).entries()) {
      const name = PACKED_FIELDS[child.kind][index] ?? "";
      const masked = stored && fields.storedPayload(stored, FIELDS[child.kind][name] ?? "metadata");
      isChanged ||= masked !== stored;
      directory.addLength(child.kind, masked?.length ?? null);
      if (masked) payloads.push(masked);
    }
    yield;
  }
  return isChanged ? { directory, payloads } : undefined;
}
