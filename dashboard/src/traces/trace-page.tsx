import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { createRoute, Link, notFound } from "@tanstack/react-router";
import type { DecisionPoint, Span, TraceEvent, WholeTrace } from "@whytrace/contract";
import type { ReactNode } from "react";
import { Ago } from "../app/ago.tsx";
import { ApiError, api } from "../app/api.ts";
import { exact, formatCost, formatCount, formatDuration } from "../app/format.ts";
import { paths } from "../app/paths.ts";
import { textOf, withoutAbsent } from "../app/search-params.ts";
import { signedInRoute } from "../app/signed-in-route.tsx";
import { Options } from "../decisions/options.tsx";
import { Tag, TypeBadge, typeLabel } from "../ui/badges.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { JsonView } from "../ui/json-view.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { StatusBadge, StatusIcon } from "../ui/status.tsx";

const traceQuery = (id: string) =>
  queryOptions({
    queryKey: ["trace", id],
    queryFn: ({ signal }) => api<WholeTrace>(`/api/traces/${encodeURIComponent(id)}`, { signal }),
  });

export const traceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.trace,
  validateSearch: (search): { decision?: string | undefined } =>
    withoutAbsent({ decision: textOf(search.decision) }),
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(traceQuery(params.id)).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 404 ? notFound() : error;
    }),
  pendingComponent: SkeletonRows,
  component: TracePage,
});

/** Every field of a trace, plainly: what it is, what was decided, what was done, what happened. */
function TracePage() {
  const { data: trace } = useSuspenseQuery(traceQuery(traceRoute.useParams().id));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 p-4 pb-12">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Link to={paths.traces} className="text-muted hover:text-text">
            Traces
          </Link>
          <span aria-hidden="true" className="text-muted">
            /
          </span>
          <h1 className="min-w-0 text-lg font-semibold">{trace.name}</h1>
          <StatusBadge status={trace.status} />
          <span className="flex gap-1.5 md:ml-auto">
            <CopyButton label="Copy link" text={location.href} />
            <CopyButton label="Copy JSON" text={JSON.stringify(trace, null, 2)} />
          </span>
        </div>
        <Facts trace={trace} />
      </div>
      <Section title="Decisions" count={trace.decisionPoints.length}>
        {trace.decisionPoints.map((decision) => (
          <Decision key={decision.id} decision={decision} />
        ))}
      </Section>
      <Section title="Spans" count={trace.spans.length}>
        {trace.spans.map((span) => (
          <SpanDetails key={span.id} span={span} />
        ))}
      </Section>
      <Section title="Events" count={trace.events.length}>
        {trace.events.map((event) => (
          <EventDetails key={event.id} event={event} />
        ))}
      </Section>
      {trace.metadata !== null && (
        <Section title="Metadata">
          <JsonView label="Metadata" value={trace.metadata} />
        </Section>
      )}
    </div>
  );
}

function Facts({ trace }: { trace: WholeTrace }) {
  return (
    <dl className="flex flex-wrap gap-x-7 gap-y-3">
      <Fact label="Duration">{formatDuration(trace.totalDuration)}</Fact>
      <Fact label="Cost">{formatCost(trace.totalCost)}</Fact>
      <Fact label="Tokens">
        <span title={exact(trace.totalTokens)}>{formatCount(trace.totalTokens)}</span>
      </Fact>
      <Fact label="Started">
        <Ago instant={trace.startedAt} />
      </Fact>
      <Fact label="Ended">{trace.endedAt ? <Ago instant={trace.endedAt} /> : "—"}</Fact>
      <Fact label="Received">
        <Ago instant={trace.createdAt} />
      </Fact>
      {trace.sessionId !== null && (
        <Fact label="Session">
          <Link
            to={paths.session}
            params={{ id: trace.sessionId }}
            className="break-all text-accent underline underline-offset-2"
          >
            {trace.sessionId}
          </Link>
        </Fact>
      )}
      {trace.tags.length > 0 && (
        <Fact label="Tags">
          <span className="flex flex-wrap gap-1">
            {trace.tags.map((tag, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a tag may stand twice
              <Tag key={index}>{tag}</Tag>
            ))}
          </span>
        </Fact>
      )}
      <Fact label="Id">
        <span className="break-all font-mono text-xs">{trace.id}</span>
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

function Section({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">
        {title}{" "}
        {count !== undefined && <span className="font-normal text-muted">{count.toLocaleString("en")}</span>}
      </h2>
      {count === 0 ? <p className="text-muted">None.</p> : children}
    </section>
  );
}

function Decision({ decision }: { decision: DecisionPoint }) {
  const {
    id,
    type,
    chosen,
    alternatives,
    reasoning,
    contextSnapshot,
    costUsd,
    durationMs,
    parentSpanId,
    timestamp,
  } = decision;
  return (
    <article
      id={`decision-${id}`}
      tabIndex={-1}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-md border border-line p-3 target:border-accent target:ring-1 target:ring-accent"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <TypeBadge type={type} />
        <Options chosen={chosen} alternatives={alternatives} />
        <span className="flex flex-wrap gap-x-3 text-muted md:ml-auto">
          <span>{formatCost(costUsd)}</span>
          <span>{formatDuration(durationMs)}</span>
          <Ago instant={timestamp} />
        </span>
      </div>
      {reasoning && <p className="whitespace-pre-wrap break-words">{reasoning}</p>}
      {parentSpanId !== null && (
        <a href={`#span-${parentSpanId}`} className="text-muted underline underline-offset-2">
          in its span
        </a>
      )}
      <Payload label="Chosen" value={chosen} />
      <Payload label="Alternatives" value={alternatives} />
      <Payload label="Context" value={contextSnapshot} />
    </article>
  );
}

function SpanDetails({ span }: { span: Span }) {
  return (
    <article
      id={`span-${span.id}`}
      tabIndex={-1}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-md border border-line p-3 target:border-accent"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusIcon status={span.status} />
        <span className="min-w-0 font-medium">{span.name}</span>
        <TypeBadge type={span.type} />
        <span className="flex flex-wrap gap-x-3 text-muted md:ml-auto">
          <span>{formatDuration(span.durationMs)}</span>
          <span>{formatCost(span.costUsd)}</span>
          <span title={exact(span.tokenCount)}>{formatCount(span.tokenCount)} tokens</span>
          <Ago instant={span.startedAt} />
        </span>
      </div>
      {span.statusMessage && (
        <p className={`whitespace-pre-wrap break-words ${span.status === "ERROR" ? "text-error" : ""}`}>
          {span.statusMessage}
        </p>
      )}
      {span.parentSpanId !== null && (
        <a href={`#span-${span.parentSpanId}`} className="text-muted underline underline-offset-2">
          in its parent
        </a>
      )}
      <Payload label="Input" value={span.input} />
      <Payload label="Output" value={span.output} />
      <Payload label="Metadata" value={span.metadata} />
    </article>
  );
}

function EventDetails({ event }: { event: TraceEvent }) {
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="font-medium">{typeLabel(event.type)}</span>
        <span className="min-w-0">{event.name}</span>
        <span className="text-muted md:ml-auto">
          <Ago instant={event.timestamp} />
        </span>
      </div>
      <Payload label="Metadata" value={event.metadata} />
    </article>
  );
}

/** Folded until somebody wants to read it. */
function Payload({ label, value }: { label: string; value: unknown }) {
  if (value === null) return null;
  return (
    <details>
      <summary className="text-muted hover:text-text">{label}</summary>
      <div className="pt-2">
        <JsonView label={label} value={value} />
      </div>
    </details>
  );
}
