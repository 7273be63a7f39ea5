/** How much text a trace carries. */
export interface SizeTerms {
  inputCharacters: number;
  outputCharacters: number;
  snapshotCharacters: number;
  /** A trace as JSON, about. */
  bytesPerTrace: number;
}

export type Size = keyof typeof SIZES;

/** `full` is the trace that performance figures are about; `small` has as many rows and loads in minutes. */
export const SIZES = {
  small: { inputCharacters: 150, outputCharacters: 120, snapshotCharacters: 120, bytesPerTrace: 13_100 },
  full: { inputCharacters: 1_150, outputCharacters: 900, snapshotCharacters: 900, bytesPerTrace: 37_700 },
} as const satisfies Record<string, SizeTerms>;
