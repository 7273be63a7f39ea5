import { RawJson } from "../traces/raw-json.ts";
import { hash32, hash53 } from "./hash53.ts";
import { optionKey } from "./option-key.ts";

/** Longer values are not parsed: their number is unlimited, and nobody compares such options. */
const PARSED_MAX_BYTES = 32 * 1024;
const MAX_OPTIONS = 64;
const LONG_OPTION = "(long)";
const MANY_OPTIONS = ["(many)"];

/** What the signature of a decision is computed from. JSON is parsed, or the bytes as they were sent. */
export interface SignedInput {
  type: string;
  chosen: unknown;
  alternatives: unknown;
  /** Set for a decision that was inferred from spans. */
  inference?: object | null | undefined;
}

export interface DecisionSignature {
  /** The key of the chosen option. */
  option: string;
  /** The keys of all options that are told apart, sorted. */
  options: string[];
  /** 53 bits: the same for decisions that are made in the same place of an agent, so that they can be compared. */
  signature: number;
  /** 32 bits: the same for decisions that, in addition, chose the same option. */
  step: number;
}

/**
 * Decisions whose alternatives a program told are made in the same place if their type and options are the same. What was
 * inferred may know no alternatives, or others in each release; for it, and for what was told without alternatives, `place`
 * counts: which agent and which of its spans. Of a decision that was told outside of all spans only its options are known.
 */
export function signDecision(
  { type, chosen, alternatives, inference }: SignedInput,
  place = "",
): DecisionSignature {
  const option = optionKey(readJson(chosen, LONG_OPTION));
  const others = readJson(alternatives, MANY_OPTIONS);
  const keys = new Set([option]);
  if (Array.isArray(others))
    for (let index = 0; index < others.length && index < MAX_OPTIONS; index++)
      keys.add(optionKey(others[index]));
  const options = [...keys].sort();
  const isTold = !inference && (options.length > 1 || place === "");
  const signature = hash53(`${type}\n${isTold ? options.join("\n") : place}`);
  return { option, options, signature, step: stepOf(signature, option) };
}

/** The step of a decision with this signature that chose this option. */
export const stepOf = (signature: number, option: string): number => hash32(`${signature}\n${option}`);

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The parsed value, or `instead` if its JSON is too long. Whether a value came as bytes makes no difference. */
function readJson(value: unknown, instead: unknown): unknown {
  const bytes = value instanceof RawJson ? value.bytes : value;
  if (!(bytes instanceof Uint8Array)) return isLong(value) ? instead : value;
  return bytes.length > PARSED_MAX_BYTES ? instead : JSON.parse(decoder.decode(bytes));
}

function isLong(value: unknown): boolean {
  const json = JSON.stringify(value) ?? "";
  // A character of JSON is at most three bytes.
  if (json.length * 3 <= PARSED_MAX_BYTES) return false;
  return json.length > PARSED_MAX_BYTES || encoder.encode(json).length > PARSED_MAX_BYTES;
}
