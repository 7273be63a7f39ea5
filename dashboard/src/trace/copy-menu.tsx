import { useContext, useState } from "react";
import { buttonStyle } from "../ui/button.tsx";
import { copyText } from "../ui/copy-text.ts";
import { MenuButton } from "../ui/menu-button.tsx";
import { callPayloadWorker, traceUrl } from "./payload/payload-client.ts";
import { PayloadTime } from "./payload/payload-time.ts";

/** Copies a link, JSON, or Markdown for a language model. */
export function CopyMenu({ traceId }: { traceId: string }) {
  const fetchedSinceMs = useContext(PayloadTime);
  const [status, setStatus] = useState("");
  const copies: [label: string, createText: () => Promise<string>, note?: string][] = [
    ["Link to this view", async () => location.href, "Opens in your account only"],
    ["JSON", () => fetchTraceJson(traceId)],
    ["Markdown for an LLM", () => callPayloadWorker("markdown", { url: traceUrl(traceId), fetchedSinceMs })],
  ];
  const onCopy = (createText: () => Promise<string>) => {
    setStatus("Copying…");
    copyText(createText).then(
      () => setStatus("Copied"),
      () => setStatus("Copy failed"),
    );
    setTimeout(() => setStatus(""), 2_500);
  };
  return (
    <MenuButton
      label="Copy"
      items={copies.map(([label, createText, note]) => ({ label, note, onSelect: () => onCopy(createText) }))}
      className={buttonStyle()}
      menuClassName="right-0 min-w-48"
    >
      <span aria-live="polite">{status || "Copy"}</span> <span aria-hidden="true">▾</span>
    </MenuButton>
  );
}

async function fetchTraceJson(traceId: string): Promise<string> {
  const response = await fetch(traceUrl(traceId), { credentials: "same-origin" });
  if (!response.ok) throw new Error(response.statusText);
  return response.text();
}
