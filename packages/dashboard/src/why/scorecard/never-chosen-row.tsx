import { CELLS, OPTION_ROW } from "./option-cells.ts";

interface NeverChosenRowProps {
  name: string;
  offered: number;
}

/** An option that was offered every time and never chosen. */
export function NeverChosenRow({ name, offered }: NeverChosenRowProps) {
  return (
    <tr className={`${OPTION_ROW} xl:h-10.75`}>
      <th scope="row" className={`${CELLS.option} text-left font-normal`}>
        <span className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className="inline-block size-2.5 shrink-0 rounded-[3px] border border-[color-mix(in_oklab,var(--tint)_70%,var(--color-bg))]"
          />
          <span className="min-w-0">
            <span className="block truncate font-medium leading-4.5 text-muted" title={name}>
              {name}
            </span>
            <span className="block text-xs leading-4 text-muted">never chosen</span>
          </span>
        </span>
      </th>
      <td className={CELLS.offered}>{offered.toLocaleString("en")}</td>
      <td className={CELLS.chosen}>0</td>
      <td className={`${CELLS.plot} max-xl:hidden`} />
      <td colSpan={4} className={`${CELLS.rate} text-xs text-muted max-xl:col-span-2`}>
        Offered {offered.toLocaleString("en")} times and never chosen: nothing is known about what would
        follow.
      </td>
    </tr>
  );
}
