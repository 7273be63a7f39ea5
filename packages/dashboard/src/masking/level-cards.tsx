import type { MaskingLevel } from "@whytrace/contract/schemas/masking/settings";
import { useId } from "react";

/** From nothing to everything. */
export const LEVELS: readonly { level: MaskingLevel; label: string; hint: string; example: string }[] = [
  {
    level: "off",
    label: "Off",
    hint: "Masks nothing.",
    example: "ann@example.com paid with 4111 1111 1111 1111",
  },
  {
    level: "secrets",
    label: "Secrets",
    hint: "Masks keys, tokens, passwords and card numbers.",
    example: "ann@example.com paid with [card]",
  },
  {
    level: "personal",
    label: "Personal data",
    hint: "Also e-mail addresses, telephone and account numbers, public IP addresses. Equal values stay equal.",
    example: "[email:9f2c4e1ab0d36b70] paid with [card]",
  },
  {
    level: "structure",
    label: "Structure only",
    hint: "Keeps of every payload its size. Decisions keep the names of their options.",
    example: '{"masked":{"bytes":45}}',
  },
];

interface LevelCardsProps {
  level: MaskingLevel;
  floor: MaskingLevel;
  onChange: (level: MaskingLevel) => void;
}

/** Choose a level. Levels below the operator's floor cannot be chosen. */
export function LevelCards({ level, floor, onChange }: LevelCardsProps) {
  const id = useId();
  const lowest = LEVELS.findIndex((one) => one.level === floor);
  return (
    <fieldset className="grid grid-cols-2 gap-2 max-sm:grid-cols-1">
      <legend className="mb-1.5 font-medium">Level</legend>
      {LEVELS.map((one, index) => (
        <label
          key={one.level}
          className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] content-start items-baseline gap-x-2.5 gap-y-1 rounded-md border border-line px-2.5 py-2 has-checked:border-accent has-checked:bg-panel has-disabled:cursor-default has-disabled:opacity-60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
        >
          <input
            type="radio"
            name="level"
            value={one.level}
            checked={one.level === level}
            disabled={index < lowest}
            onChange={() => onChange(one.level)}
            aria-describedby={`${id}-${one.level}`}
            className="accent-accent outline-none"
          />
          <span className="font-medium">{one.label}</span>
          <span id={`${id}-${one.level}`} className="col-start-2 grid gap-1 text-xs text-muted">
            {index < lowest ? "The operator of this server requires more." : one.hint}
            <code className="font-mono break-words">{one.example}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
