import { Fragment, type PointerEvent, type ReactNode } from "react";
import { setHoveredToken } from "./hovered-token.ts";
import { splitTokens } from "./split-tokens.ts";

/** A text in which tokens of masked values are chips with their type. Copied, and for the browser's search, they are whole. */
export function MaskedText({ text }: { text: string }): ReactNode {
  const parts = splitTokens(text);
  if (parts.length === 1 && typeof parts[0] === "string") return text;
  return parts.map((part, index) =>
    typeof part === "string" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no ID
      <Fragment key={index}>{part}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no ID
      <Chip key={index} {...part} />
    ),
  );
}

const SHOWN_DIGITS = 4;

function Chip({ token, type, hash }: { token: string; type: string; hash: string }) {
  return (
    <span
      data-token={token}
      title={
        hash ? `Masked: ${type}. Equal values have the same token; f finds its traces.` : `Masked: ${type}`
      }
      className="relative rounded border border-line bg-sunken px-1 font-sans text-xs text-muted not-italic data-equal:border-accent data-equal:text-accent"
      onPointerEnter={hash ? (event) => hover(event, token) : undefined}
      onPointerLeave={hash ? (event) => hover(event, null) : undefined}
    >
      <span className="sr-only">[</span>
      {type}
      {hash && (
        <>
          <span className="sr-only">:</span>
          <span aria-hidden="true" className="select-none">
            ·
          </span>
          {hash.slice(0, SHOWN_DIGITS)}
          <span className="sr-only">{hash.slice(SHOWN_DIGITS)}</span>
        </>
      )}
      <span className="sr-only">]</span>
    </span>
  );
}

/** Equal tokens stand in other payloads and rows, so they are looked for in the whole page. */
function hover({ currentTarget }: PointerEvent<HTMLElement>, token: string | null) {
  setHoveredToken(token);
  const own = currentTarget.dataset.token;
  for (const chip of document.querySelectorAll<HTMLElement>("[data-token]"))
    chip.toggleAttribute("data-equal", token !== null && chip.dataset.token === own);
}
