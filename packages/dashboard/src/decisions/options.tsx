import { type DecisionPointType, optionName } from "@whytrace/contract";
import { tintedStyle } from "../ui/tinted-style.ts";

interface OptionsProps {
  type: DecisionPointType;
  chosen: unknown;
  alternatives: unknown[];
  alternativesKnown: boolean;
}

/** The chosen option, filled, followed by the alternatives, outlined. */
export function Options({ type, chosen, alternatives, alternativesKnown }: OptionsProps) {
  return (
    <ul aria-label="Options" className="flex min-w-0 max-w-full flex-wrap gap-1">
      <li
        title={JSON.stringify(chosen)}
        className="tinted relative max-w-full truncate rounded-[5px] border border-current px-1.5 text-xs font-semibold leading-5"
        style={tintedStyle(type)}
      >
        <span aria-hidden="true">◆ </span>
        {optionName(chosen)}
        <span className="sr-only"> (chosen)</span>
      </li>
      {alternatives.map((option, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no ID
          key={index}
          title={JSON.stringify(option)}
          className="max-w-full truncate rounded-[5px] border border-line px-1.5 text-xs leading-5 text-muted"
        >
          {optionName(option)}
        </li>
      ))}
      {!alternativesKnown && (
        <li
          title="The instrumentation does not say what else was on offer"
          className="max-w-full truncate rounded-[5px] border border-dashed border-line px-1.5 text-xs leading-5 text-muted"
        >
          others unknown
        </li>
      )}
    </ul>
  );
}
