import { Button } from "./button.tsx";

interface PagerProps {
  page: number;
  limit: number;
  total: number;
  onPage: (page: number) => void;
}

export function Pager({ page, limit, total, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / limit));
  const from = Math.min(total, (page - 1) * limit + 1);
  const count = (figure: number) => figure.toLocaleString("en");
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2 text-muted"
    >
      <span className="mr-auto">
        {total === 0 ? "0" : `${count(from)}–${count(Math.min(total, page * limit))} of ${count(total)}`}
      </span>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        ← Previous
      </Button>
      <span>
        Page {count(page)} of {count(pages)}
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next →
      </Button>
    </nav>
  );
}
