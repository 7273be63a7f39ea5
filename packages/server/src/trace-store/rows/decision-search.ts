import { optionName, type ParsedDecisionPoint } from "@whytrace/contract";
import { payloadBytes } from "../../payloads/payload-bytes.ts";

/** How much of the reasoning and of the chosen option can be searched. Whole books would make the index too large. */
const SEARCHED_MAX_LENGTH = 8_192;
/** A longer option is not parsed to find its name. */
const PARSED_MAX_LENGTH = 2_048;
const NAME_MAX_LENGTH = 200;

/** The columns of a decision point that are derived from its fields, so that lists can search and count by them. */
interface DecisionSearch {
  /** What the search of decisions looks through, in lower case. */
  searchText: string;
  /** The name that the chosen option is counted under. */
  choice: string | null;
}

export function decisionSearch(
  traceName: string,
  { reasoning, chosen }: Pick<ParsedDecisionPoint, "reasoning" | "chosen">,
): DecisionSearch {
  const option = optionText(chosen);
  const searched = [
    traceName,
    (reasoning ?? "").slice(0, SEARCHED_MAX_LENGTH),
    (option ?? "").slice(0, SEARCHED_MAX_LENGTH),
  ];
  return {
    searchText: searched.join("\n").toLowerCase().toWellFormed(),
    choice: option === null ? null : choiceName(option),
  };
}

/** The chosen option's JSON without escapes: a search for "é" must find what was sent as \u00e9. */
function optionText(chosen: unknown): string | null {
  const bytes = payloadBytes(chosen);
  if (bytes === null) return null;
  const sent = Buffer.from(bytes).toString();
  return sent.includes("\\u") ? JSON.stringify(JSON.parse(sent)) : sent;
}

/** PostgreSQL's text cannot hold NUL. */
function choiceName(option: string): string {
  const name = option.length > PARSED_MAX_LENGTH ? option : optionName(JSON.parse(option));
  return name.slice(0, NAME_MAX_LENGTH).replaceAll("\0", "").toWellFormed();
}
