import { useState } from "react";
import { copyText } from "../format/copy-text.ts";
import { Button } from "./button.tsx";

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const copy = () =>
    copyText(async () => text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  const labels = { idle: label, copied: "Copied", failed: "Copy failed" };
  return (
    <Button onClick={() => void copy()} onBlur={() => setState("idle")}>
      <span aria-live="polite">{labels[state]}</span>
    </Button>
  );
}
