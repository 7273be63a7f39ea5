import { CHILDREN, type Fields } from "@whytrace/contract";

/** The children whose payloads are packed, in the order in which a part holds them. */
export const PACKED_KINDS = ["spans", "events"] as const;
export type PackedKind = (typeof PACKED_KINDS)[number];

export const payloadFields = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name] === "payload");

/** The packed fields of each kind, in the order in which a part holds them. */
export const PACKED_FIELDS: Readonly<Record<PackedKind, readonly string[]>> = {
  spans: payloadFields(CHILDREN.spans.fields),
  events: payloadFields(CHILDREN.events.fields),
};

/** Whether the payloads of children of this kind are packed. Others are in their rows. */
export const hasPayloadParts = (kind: string): kind is PackedKind => Object.hasOwn(PACKED_FIELDS, kind);
