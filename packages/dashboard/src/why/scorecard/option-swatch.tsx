import { optionTint } from "./option-tint.ts";

/** A square in an option's tint. */
export function OptionSwatch({ index }: { index: number }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-2.5 shrink-0 rounded-[3px] border border-[color-mix(in_oklab,var(--tint)_70%,var(--color-bg))]"
      style={{ backgroundColor: optionTint(index) }}
    />
  );
}
