import { asProbability } from "../decode/attribute-value.ts";
import type { OtlpSpan } from "../decode/otlp-span.ts";

/** The threshold of consistent probability sampling: up to 14 hexadecimal digits, without zeros at the end. */
const THRESHOLD = /(?:^|,)\s*ot=(?:[^,]*;)?th:([0-9a-f]{1,14})(?=[;,\s]|$)/;
const DIGITS = 14;

/** The probability with which a root, and so its trace, was sampled; undefined if the sender does not say it. */
export function sampleProbability({
  attributes,
  traceState,
}: Pick<OtlpSpan, "attributes" | "traceState">): number | undefined {
  const told = asProbability(attributes.get("sampling.probability"));
  if (told !== undefined) return told;
  const threshold = THRESHOLD.exec(traceState)?.[1];
  if (threshold === undefined) return undefined;
  return 1 - Number.parseInt(threshold.padEnd(DIGITS, "0"), 16) / 16 ** DIGITS;
}
