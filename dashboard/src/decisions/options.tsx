import { type DecisionPointType, optionName } from "@whytrace/contract";
import { typeTint } from "../ui/badges.tsx";

interface OptionsProps {
  type?: DecisionPointType;
  chosen: unknown;
  alternatives: unknown[];
}

/** What was chosen, filled, before what was not, outlined. */
export function Options({ type, chosen, alternatives }: OptionsProps) {
  const tint = type ? typeTint[type] : "[--tint:var(--color-accent)]";
  return (
    <ul aria-label="Options" className="flex min-w-0 max-w-full flex-wrap gap-1">
      <li
        title={JSON.stringify(chosen)}
        className={`tinted relative max-w-full truncate rounded-[5px] border border-current px-1.5 text-xs font-semibold leading-5 ${tint}`}
      >
        <span aria-hidden="true">◆ </span>
        {optionName(chosen)}
        <span className="sr-only"> (chosen)</span>
      </li>
      {alternatives.map(placed).map(({ place, option }) => (
        <li
          key={place}
          title={JSON.stringify(option)}
          className="max-w-full truncate rounded-[5px] border border-line px-1.5 text-xs leading-5 text-muted"
        >
          {optionName(option)}
        </li>
      ))}
    </ul>
  );
}

/** Alternatives have no identity but their place. */
const placed = (option: unknown, index: number) => ({ place: String(index), option });
