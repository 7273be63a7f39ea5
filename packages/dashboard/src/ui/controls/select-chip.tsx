import { ClearButton, chipPartStyle, chipStyle } from "./filter-chip.tsx";

export interface SelectChipOption<T extends string> {
  value: T | "";
  label: string;
  /** Options with the same group that follow each other are shown below its name. */
  group?: string | undefined;
}

interface SelectChipProps<T extends string> {
  label: string;
  /** Shown instead of the label when an option is selected. */
  text?: string | undefined;
  value: T | "";
  options: readonly SelectChipOption<T>[];
  onChange: (value: string) => void;
  onClear?: (() => void) | undefined;
}

/** A chip with an invisible native select on top, so that phones show their own picker. */
export function SelectChip<T extends string>({
  label,
  text = label,
  value,
  options,
  onChange,
  onClear,
}: SelectChipProps<T>) {
  return (
    <span
      className={`${chipStyle(onClear !== undefined)} has-[select:focus-visible]:outline-2 has-[select:focus-visible]:outline-offset-2 has-[select:focus-visible]:outline-ring`}
    >
      <span className={`${chipPartStyle} relative`}>
        <span aria-hidden="true" className="whitespace-nowrap">
          {text}
        </span>
        <select
          aria-label={label}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="absolute inset-0 w-full opacity-0"
        >
          {inGroups(options).map(([group, members]) =>
            group === undefined ? (
              <Options key={members[0]?.value} options={members} />
            ) : (
              <optgroup key={`${group} ${members[0]?.value}`} label={group}>
                <Options options={members} />
              </optgroup>
            ),
          )}
        </select>
      </span>
      {onClear && <ClearButton label={label} onClear={onClear} />}
    </span>
  );
}

const Options = ({ options }: { options: readonly SelectChipOption<string>[] }) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

type Group<T extends string> = [name: string | undefined, options: SelectChipOption<T>[]];

function inGroups<T extends string>(options: readonly SelectChipOption<T>[]): Group<T>[] {
  const groups: Group<T>[] = [];
  for (const option of options) {
    const last = groups.at(-1);
    if (last && last[0] === option.group) last[1].push(option);
    else groups.push([option.group, [option]]);
  }
  return groups;
}
