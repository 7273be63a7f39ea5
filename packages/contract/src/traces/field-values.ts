import type { FieldType, RecordTable } from "./fields.ts";

/** An object with a record's fields. `Types` maps each field type to a TypeScript type; an enum holds one of its values. */
export type FieldValues<Table extends RecordTable, Types extends Record<FieldType, unknown>> = {
  -readonly [Name in keyof Table["fields"]]: Table["fields"][Name] extends readonly (infer Value)[]
    ? Value
    : Table["fields"][Name] extends FieldType
      ? Types[Table["fields"][Name]]
      : never;
};
