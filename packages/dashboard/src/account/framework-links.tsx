import { FRAMEWORKS } from "./frameworks.ts";

const LINK =
  "inline-flex min-h-8 items-center rounded-md border border-line px-2.5 text-xs font-medium hover:bg-panel max-sm:min-h-11 max-sm:px-3";

/** The way to the page of the documentation that sets up one's framework. */
export function FrameworkLinks() {
  return (
    <details className="rounded-md border border-line">
      <summary className="cursor-pointer px-3 py-2.5">
        <b className="font-medium">With a framework?</b>{" "}
        <span className="text-muted">
          Guides for AI SDK, LangChain, OpenAI and {FRAMEWORKS.length - 3} others
        </span>
      </summary>
      <nav aria-label="Guides by framework" className="grid gap-2 border-t border-line p-3">
        <p className="text-muted">Each has the lines to add, and tells which decisions arrive.</p>
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
    </details>
  );
}
