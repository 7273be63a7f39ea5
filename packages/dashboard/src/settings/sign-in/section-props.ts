/** What each section of the page gets. */
export interface SectionProps {
  /** Runs an act that may need a proof of who it is. */
  run: <T>(act: string, work: () => Promise<T>) => Promise<T>;
  /** Shows new recovery codes, once. */
  onCodes: (codes: string[]) => void;
}
