import { type SharedSuspect, type SharedWhy, suspectSentence } from "@whytrace/contract";
import type { MouseEvent } from "react";
import { typeLabel } from "../../ui/badges.tsx";
import { formatDuration } from "../../ui/format/format.ts";
import { SentenceText } from "../../why/sentence-text.tsx";

interface SuspectWordsProps {
  suspect: SharedSuspect;
  blame: Pick<SharedWhy, "ending" | "badRuns">;
  onOpen: () => void;
}

/** What is known of a suspect from other runs, and where it was decided. The name of the option leads to the decision. */
export function SuspectWords({ suspect, blame, onOpen }: SuspectWordsProps) {
  const { decisionPointId } = suspect;
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <>
      <p className="break-words">
        <SentenceText
          sentence={suspectSentence(suspect, blame)}
          renderOption={(name) =>
            decisionPointId === null ? (
              <b className="font-semibold">{name}</b>
            ) : (
              <a
                href={`?decision=${encodeURIComponent(decisionPointId)}`}
                onClick={open}
                className="font-semibold text-[var(--tint)] hover:underline"
              >
                {name}
              </a>
            )
          }
        />
      </p>
      <p className="mt-0.5 text-xs text-muted">{describePlace(suspect)}</p>
    </>
  );
}

function describePlace({ type, beforeMs, place }: SharedSuspect): string {
  const when = !beforeMs ? "" : `, ${formatDuration(beforeMs)} before it went wrong`;
  return `${typeLabel(type)}${when}${place === null ? "" : `, in ${place}`}`;
}
