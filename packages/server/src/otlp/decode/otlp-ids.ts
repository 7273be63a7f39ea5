const TRACE_ID = /^[0-9a-f]{32}$/i;
const SPAN_ID = /^[0-9a-f]{16}$/i;
const ONLY_ZEROS = /^0*$/;

/** The id in lower case, or null if it does not have 16 bytes or has only zeros. */
export const traceIdOf = (hex: string): string | null => validId(hex, TRACE_ID);

/** The id in lower case, or null if it does not have 8 bytes or has only zeros. */
export const spanIdOf = (hex: string): string | null => validId(hex, SPAN_ID);

const validId = (hex: string, form: RegExp) =>
  form.test(hex) && !ONLY_ZEROS.test(hex) ? hex.toLowerCase() : null;
