import type { RecordTable } from "./fields.ts";

type OptionalName<Table extends RecordTable> = Exclude<keyof Table["fields"], Table["required"][number]>;

/** The optional fields of a record, all null: what a record has that sends none of them. */
export function absentFields<Table extends RecordTable>({ fields, required }: Table) {
  const optional = Object.keys(fields).filter((name) => !required.includes(name));
  return Object.fromEntries(optional.map((name) => [name, null])) as Record<OptionalName<Table>, null>;
}
