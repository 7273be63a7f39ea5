/** The id of the trace whose row has the focus; undefined if none has. */
export const focusedTrace = (): string | undefined =>
  document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-trace]")?.dataset.trace;
