import { FRAMEWORKS } from "./frameworks.ts";

const LINK =
  "inline-flex min-h-8 items-center rounded-md border border-line px-2.5 text-xs font-medium hover:bg-panel max-sm:min-h-11 max-sm:px-3";

/** The way to the page of the documentation that sets up one's framework. */
export function FrameworkLinks() {
  return (
    <nav aria-label="Guides by framework" className="grid gap-2">
      <p className="text-muted">
        With a framework, follow its page: it has the lines to add, and tells which decisions arrive. Without
        one, or to try it first, take a snippet below.
      </p>
      <ul className="flex flex-wrap gap-1.5">
        <li>
          <a href="/docs/opentelemetry" target="_blank" rel="noreferrer" className={LINK}>
            OpenTelemetry, any language
          </a>
        </li>
        {FRAMEWORKS.map(([label, page]) => (
          <li key={page}>
            <a href={`/docs/opentelemetry/${page}`} target="_blank" rel="noreferrer" className={LINK}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
