import { Link } from "@tanstack/react-router";
import { type Blame, blameSentence } from "@whytrace/contract";
import { paths } from "../../paths.ts";
import { SkeletonBar } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status.tsx";
import { SentenceText } from "../../why/sentence-text.tsx";
import { errorWords } from "./error-words.ts";

/** With what a bad run went wrong, and its first suspect. */
export function FailureLine({ blame }: { blame: Blame }) {
  const { traceId, error, suspects, decisions } = blame;
  const decision = suspects[0]?.decisionPointId ?? undefined;
  return (
    <section
      aria-label="What went wrong"
      className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 md:flex md:items-baseline"
    >
      <span className="row-span-2 mt-0.5 self-start">
        <StatusIcon status="ERROR" />
      </span>
      <p className="min-w-0 truncate font-semibold text-error md:max-w-[50%]" title={errorWords(blame)}>
        {errorWords(blame)}
        {error?.message != null && <span className="font-normal text-muted"> in {error.name}</span>}
      </p>
      {decisions > 0 && (
        <p className="min-w-0 truncate md:before:mr-2 md:before:text-muted md:before:content-['·']">
          <SentenceText
            sentence={blameSentence(blame)}
            renderOption={(name) =>
              decision === undefined ? (
                <b className="font-semibold">{name}</b>
              ) : (
                <Link
                  to={paths.trace}
                  params={{ id: traceId }}
                  search={{ decision }}
                  className="font-semibold text-accent hover:underline"
                >
                  {name}
                </Link>
              )
            }
          />
        </p>
      )}
    </section>
  );
}

/** As high as the line, so that nothing below it moves when it comes. */
export function FailureLineSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="mt-1.5 grid h-[2.9em] content-center gap-2 md:h-[1.45em]"
    >
      <SkeletonBar className="w-2/3" />
      <SkeletonBar className="w-1/2 md:hidden" />
    </div>
  );
}
