import type { MaskingMethod, MaskingRule, MaskingType } from "@whytrace/contract/schemas/masking/settings";

export const TYPES: readonly { value: MaskingType; label: string }[] = [
  { value: "pattern", label: "A pattern" },
  { value: "email", label: "E-mail addresses" },
  { value: "phone", label: "Telephone numbers" },
  { value: "card", label: "Card numbers" },
  { value: "iban", label: "Bank accounts" },
  { value: "ip", label: "Public IP addresses" },
  { value: "secret", label: "Secrets" },
  { value: "key", label: "Values under certain keys" },
  { value: "anything", label: "Every value" },
];

export const METHODS: readonly { value: MaskingMethod; label: string }[] = [
  { value: "replace", label: "A fixed text" },
  { value: "hash", label: "A hash: equal values stay equal" },
  { value: "mask", label: "Eight asterisks" },
  { value: "remove", label: "Nothing" },
  { value: "keep", label: "Itself: an exception" },
];

const labelOf = <Value extends string>(list: readonly { value: Value; label: string }[], value: Value) =>
  list.find((one) => one.value === value)?.label ?? value;

/** What a rule does, in a line. */
export function ruleWords({ type, method, source, pattern, keys, text }: MaskingRule): string {
  const what = type === "pattern" ? (pattern ?? "") : (keys?.join(", ") ?? labelOf(TYPES, type));
  const becomes = method === "replace" && text ? text : labelOf(METHODS, method);
  return `${what} · ${source === "*" ? "everywhere" : source} · ${becomes}`;
}
