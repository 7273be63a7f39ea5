import { invalid } from "./batch-error.ts";
import type { FieldValues } from "./field-values.ts";
import type { FieldType, RecordTable } from "./fields.ts";
import { parseField, printed, readRequired, requiredText } from "./parse-field.ts";
import type { ParsedTypes } from "./parsed-trace.ts";

export type SentFields = Readonly<Record<string, unknown>>;

interface Field {
  label: string;
  name: string;
  type: FieldType | readonly string[];
  isRequired: boolean;
}

/** Checks and reads records of one kind, by their table of fields. */
export class RecordParser<Table extends RecordTable> {
  readonly #fields: readonly Field[];
  readonly #required: readonly Field[];

  constructor({ label, required, fields }: Table) {
    this.#fields = Object.entries(fields).map(([name, type]) => ({
      label,
      name,
      type,
      isRequired: required.includes(name),
    }));
    this.#required = required.flatMap((name) => this.#fields.find((field) => field.name === name) ?? []);
  }

  /** Makes the specification's checks, in its order. */
  readRequired(sent: SentFields): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const field of this.#required) {
      const value = readRequired(field.type, sent[field.name]);
      if (value === undefined) throw invalid(requiredText(field.type, field, printed(sent[field.name])));
      values[field.name] = value;
    }
    return values;
  }

  /** Makes the other checks and completes the record. */
  complete(sent: SentFields, required: Record<string, unknown>): FieldValues<Table, ParsedTypes> {
    for (const field of this.#fields) {
      const value = field.isRequired ? required[field.name] : sent[field.name];
      required[field.name] = parseField(field.type, value, field);
    }
    // The loop has set every field of the table to a value of its type, which the compiler cannot follow.
    return required as FieldValues<Table, ParsedTypes>;
  }

  parse(sent: SentFields): FieldValues<Table, ParsedTypes> {
    return this.complete(sent, this.readRequired(sent));
  }
}
