import { useState } from "react";
import { Button } from "./button.tsx";

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  const words = { idle: label, copied: "Copied", failed: "Press Ctrl+C" };
  return (
    <Button onClick={() => void copy()} onBlur={() => setState("idle")}>
      <span aria-live="polite">{words[state]}</span>
    </Button>
  );
}
