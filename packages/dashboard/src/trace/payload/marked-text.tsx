import type { SearchField } from "@whytrace/contract";
import { Fragment, useContext, useMemo, useRef, useState } from "react";
import { findOccurrences } from "../../ui/format/find-occurrences.ts";
import { MARK, MARK_CURRENT } from "../../ui/intervals/mark-style.ts";
import { MaskedText } from "../masked/masked-text.tsx";
import { FindContext, useFindTarget } from "./find.ts";

const MAX_MARKS = 1_000;

/** A text with the occurrences of the searched text marked. */
export function MarkedText({ text, field = null }: { text: string; field?: SearchField | null }) {
  const { text: query } = useContext(FindContext);
  const found = useMemo(() => findOccurrences(text, query, MAX_MARKS), [text, query]);
  const element = useRef<HTMLSpanElement>(null);
  const [current, setCurrent] = useState<number | null>(null);
  const reveal = (index: number | null) => {
    setCurrent(index);
    if (index === null || !element.current) return;
    expandDetails(element.current);
    element.current.querySelectorAll("mark")[index]?.scrollIntoView({ block: "nearest" });
  };
  useFindTarget(element, { field, count: found.length, reveal });
  if (found.length === 0) return <MaskedText text={text} />;
  return (
    <span ref={element}>
      {found.map(([from, to], index) => (
        <Fragment key={from}>
          <MaskedText text={text.slice(found[index - 1]?.[1] ?? 0, from)} />
          <mark
            data-current={index === current || undefined}
            className={`scroll-my-16 ${index === current ? MARK_CURRENT : MARK}`}
          >
            {text.slice(from, to)}
          </mark>
        </Fragment>
      ))}
      <MaskedText text={text.slice(found.at(-1)?.[1])} />
    </span>
  );
}

function expandDetails(element: Element) {
  for (let details = element.closest("details"); details; ) {
    details.open = true;
    details = details.parentElement?.closest("details") ?? null;
  }
}
