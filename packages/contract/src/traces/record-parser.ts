import { invalid } from "./batch-error.ts";
import type { FieldValues } from "./field-values.ts";
import type { FieldType, RecordTable } from "./fields.ts";
import { type FieldName, fieldParser, printed, requiredReader, requiredText } from "./parse-field.ts";
import type { ParsedTypes } from "./parsed-trace.ts";

export type SentFields = Readonly<Record<string, unknown>>;

interface Field extends FieldName {
  type: FieldType | readonly string[];
  read(value: unknown): unknown;
  parse(value: unknown): unknown;
}

/** Checks and parses records of one kind, as their table of fields defines. */
export class RecordParser<Table extends RecordTable> {
  readonly #required: readonly Field[];
  readonly #fields: readonly Field[];

  constructor({ label, required, fields }: Table) {
    this.#fields = Object.entries(fields).map(([name, type]) => ({
      label,
      name,
      type,
      read: requiredReader(type),
      parse: fieldParser(type, { label, name }),
    }));
    this.#required = required.flatMap((name) => this.#fields.find((field) => field.name === name) ?? []);
  }

  /** Makes the specification's checks, in its order. */
  readRequired(sent: SentFields): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    for (const field of this.#required) {
      const value = field.read(sent[field.name]);
      if (value === undefined) throw invalid(requiredText(field.type, field, printed(sent[field.name])));
      record[field.name] = value;
    }
    return record;
  }

  /** Makes the other checks and completes the record. */
  complete(sent: SentFields, record: Record<string, unknown>): FieldValues<Table, ParsedTypes> {
    for (const field of this.#fields) {
      const value = record[field.name] ?? sent[field.name] ?? null;
      record[field.name] = value === null ? null : field.parse(value);
    }
    // The loop sets every field of the table to a value of its type, which TypeScript cannot infer.
    return record as FieldValues<Table, ParsedTypes>;
  }

  parse(sent: SentFields): FieldValues<Table, ParsedTypes> {
    return this.complete(sent, this.readRequired(sent));
  }
}
