/** How much text a trace contains. */
export interface SizeOptions {
  inputCharacters: number;
  outputCharacters: number;
  snapshotCharacters: number;
  /** Approximate size of a trace as JSON. */
  bytesPerTrace: number;
}

export type Size = keyof typeof SIZES;

/** `full` is a typical trace, used for measurements; `small` has the same number of rows and loads faster. */
export const SIZES = {
  small: { inputCharacters: 150, outputCharacters: 120, snapshotCharacters: 120, bytesPerTrace: 13_100 },
  full: { inputCharacters: 1_150, outputCharacters: 900, snapshotCharacters: 900, bytesPerTrace: 37_700 },
} as const satisfies Record<string, SizeOptions>;
