interface CodeProps {
  label: string;
  text: string;
  isWrapped?: boolean;
}

/** A block of code. It scrolls, so it must be reachable by keyboard. */
export function Code({ label, text, isWrapped = false }: CodeProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-md border border-line bg-panel p-3"
    >
      <pre
        className={`font-mono text-xs leading-relaxed ${isWrapped ? "whitespace-pre-wrap break-words" : ""}`}
      >
        {text}
      </pre>
    </section>
  );
}
