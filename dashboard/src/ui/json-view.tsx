import { Code } from "./code.tsx";

/** A payload, indented. A string that is itself a text is shown as the text. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    <Code
      label={label}
      text={typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")}
      isWrapped
    />
  );
}
