import { optionName } from "@whytrace/contract";
import { type ReactNode, useContext } from "react";
import { findOccurrences } from "../../ui/format/find-occurrences.ts";
import { FindContext } from "../payload/find.ts";
import { MarkedText } from "../payload/marked-text.tsx";

const MAX_DETAIL_LENGTH = 400;

interface DecisionOptionProps {
  option: unknown;
  isChosen?: boolean;
  /** How often runs failed after it. */
  rate: ReactNode;
}

/** An option of a decision, with what it consists of. */
export function DecisionOption({ option, isChosen = false, rate }: DecisionOptionProps) {
  const { text } = useContext(FindContext);
  const field = isChosen ? "chosen" : "alternatives";
  const name = optionName(option);
  const wholeDetail = detailOf(option, name);
  const detail =
    findOccurrences(wholeDetail.slice(MAX_DETAIL_LENGTH), text, 1).length > 0
      ? wholeDetail
      : truncate(wholeDetail);
  return (
    <li
      className={`flex items-start gap-2.5 rounded-md border px-3 py-2 ${isChosen ? "border-[var(--tint)] bg-[color-mix(in_oklab,var(--tint)_9%,var(--color-bg))]" : "border-line"}`}
    >
      <span aria-hidden="true" className={isChosen ? "text-[var(--tint)]" : "text-muted"}>
        {isChosen ? "◆" : "◇"}
      </span>
      <span className="min-w-0">
        <span className={`block break-words ${isChosen ? "font-semibold" : ""}`}>
          <MarkedText text={name} field={field} />
          {isChosen && <span className="sr-only"> (chosen)</span>}
        </span>
        {detail && (
          <span className="block break-words font-mono text-xs text-muted">
            <MarkedText text={detail} field={field} />
          </span>
        )}
        {!isChosen && <span className="block text-xs text-muted">not chosen</span>}
      </span>
      <span className="ml-auto shrink-0 text-xs">{rate}</span>
    </li>
  );
}

/** An option's fields other than its name. Options chosen together may be mere names, which need no detail. */
function detailOf(option: unknown, name: string): string {
  if (typeof option !== "object" || option === null) return "";
  const isName = (value: unknown) =>
    value === name || (Array.isArray(option) && typeof value === "string" && name.includes(value));
  const fields = Object.entries(option).filter(([, value]) => !isName(value));
  if (fields.length === 0 || name === JSON.stringify(option)) return "";
  return fields.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(", ");
}

const truncate = (text: string) =>
  text.length > MAX_DETAIL_LENGTH ? `${text.slice(0, MAX_DETAIL_LENGTH)}…` : text;
