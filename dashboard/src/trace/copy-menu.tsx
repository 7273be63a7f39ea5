import { type KeyboardEvent, useContext, useEffect, useId, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy-text.ts";
import { callPayloadWorker, traceUrl } from "./payload/payload-client.ts";
import { PayloadTime } from "./payload/payload-time.ts";

/** Copies a link, JSON, or Markdown for a language model. */
export function CopyMenu({ traceId }: { traceId: string }) {
  const fetchedSinceMs = useContext(PayloadTime);
  const [isOpen, setIsOpen] = useState(false);
  const [status, setStatus] = useState("");
  const frame = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const copies: [label: string, createText: () => Promise<string>, note?: string][] = [
    ["Link to this view", async () => location.href, "Opens in your account only"],
    ["JSON", () => fetchTraceJson(traceId)],
    ["Markdown for an LLM", () => callPayloadWorker("markdown", { url: traceUrl(traceId), fetchedSinceMs })],
  ];
  useEffect(() => {
    if (!isOpen) return;
    menu.current?.querySelector("button")?.focus();
    const onDown = (event: PointerEvent) => {
      if (!frame.current?.contains(event.target as Node)) setIsOpen(false);
    };
    addEventListener("pointerdown", onDown);
    return () => removeEventListener("pointerdown", onDown);
  }, [isOpen]);
  const close = () => {
    setIsOpen(false);
    frame.current?.querySelector("button")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: items.length - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      items[(next + items.length) % items.length]?.focus();
    }
    if (event.key === "Escape" || event.key === "Tab") close();
  };
  const onCopy = (createText: () => Promise<string>) => {
    close();
    setStatus("Copying…");
    copyText(createText).then(
      () => setStatus("Copied"),
      () => setStatus("Copy failed"),
    );
    setTimeout(() => setStatus(""), 2_500);
  };
  return (
    <div ref={frame} className="relative">
      <Button
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span aria-live="polite">{status || "Copy"}</span> <span aria-hidden="true">▾</span>
      </Button>
      {isOpen && (
        <div
          ref={menu}
          id={id}
          role="menu"
          aria-label="Copy"
          tabIndex={-1}
          onKeyDown={onKeyDown}
          className="absolute right-0 z-10 mt-1 grid min-w-48 rounded-md border border-line bg-bg p-1 shadow-lg"
        >
          {copies.map(([label, createText, note]) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              className="min-h-8 rounded px-2 py-1 text-left hover:bg-sunken max-sm:min-h-11"
              onClick={() => onCopy(createText)}
            >
              {label}
              {note && <span className="block text-xs text-muted">{note}</span>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

async function fetchTraceJson(traceId: string): Promise<string> {
  const response = await fetch(traceUrl(traceId), { credentials: "same-origin" });
  if (!response.ok) throw new Error(response.statusText);
  return response.text();
}
