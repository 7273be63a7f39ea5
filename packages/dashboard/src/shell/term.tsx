import { Link } from "@tanstack/react-router";
import { type ReactNode, type ToggleEvent, useId, useRef, useState } from "react";
import { paths } from "../paths.ts";
import { WORDS, type Word } from "./words.ts";

const WIDTH_PX = 288;
const MARGIN_PX = 8;
const GAP_PX = 4;

/** A word with a dotted line. A click, a touch or Enter says what it means; Escape or a click elsewhere closes that. */
export function Term({ word, children = word }: { word: Word; children?: ReactNode }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  /** A closed answer is not part of the text around the word. */
  const [isOpen, setIsOpen] = useState(false);
  /** Below the word, or above it in the lower half of the window. */
  const place = ({ currentTarget: { style }, newState }: ToggleEvent<HTMLElement>) => {
    setIsOpen(newState === "open");
    const anchor = button.current?.getBoundingClientRect();
    if (!anchor) return;
    const isLow = anchor.top > innerHeight / 2;
    const left = Math.min(anchor.left, document.documentElement.clientWidth - WIDTH_PX - MARGIN_PX);
    style.left = `${Math.max(MARGIN_PX, left)}px`;
    style.top = isLow ? "auto" : `${anchor.bottom + GAP_PX}px`;
    style.bottom = isLow ? `${innerHeight - anchor.top + GAP_PX}px` : "auto";
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className="cursor-help underline decoration-dotted underline-offset-3 hover:text-text max-sm:min-h-6"
      >
        {children}
      </button>
      <span
        id={id}
        popover="auto"
        role="note"
        aria-label={`What is meant by ${word}`}
        onBeforeToggle={place}
        className="fixed inset-auto m-0 w-72 max-w-[calc(100vw-1rem)] whitespace-normal rounded-md border border-line bg-bg p-3 text-left text-sm font-normal leading-5 text-text shadow-lg"
      >
        {isOpen && (
          <>
            {WORDS[word]}{" "}
            <Link to={paths.words} hash={word} className="text-accent underline">
              All words
            </Link>
          </>
        )}
      </span>
    </>
  );
}
