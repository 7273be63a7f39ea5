import { Button } from "./controls/button.tsx";
import { SelectChip } from "./controls/select-chip.tsx";

interface PagerProps {
  page: number;
  limit: number;
  total: number;
  onPage: (page: number) => void;
  /** Page sizes to choose from; without them the size is fixed. */
  sizes?: readonly string[];
  onSize?: (size: string) => void;
}

export function Pager({ page, limit, total, onPage, sizes, onSize }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / limit));
  const from = Math.min(total, (page - 1) * limit + 1);
  const format = (count: number) => count.toLocaleString("en");
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center gap-2 border-t border-line bg-bg px-4 py-2 tabular-nums text-muted md:sticky md:bottom-0 md:z-[1]"
    >
      <span className="mr-auto">
        {total === 0 ? "0" : `${format(from)}–${format(Math.min(total, page * limit))} of ${format(total)}`}
      </span>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        ← Previous
      </Button>
      <span>
        Page {format(page)} of {format(pages)}
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next →
      </Button>
      {sizes && onSize && (
        <SelectChip
          label="Page size"
          text={`${limit} per page`}
          value={String(limit)}
          options={sizes.map((size) => ({ value: size, label: `${size} per page` }))}
          onChange={onSize}
        />
      )}
    </nav>
  );
}
