/**
 * How deep arrays and maps may be nested in the value of an attribute. As JSON, one level of it is up to four levels of
 * the body: with this limit they stay below the one of the JSON scanner, and both encodings accept the same values.
 */
export const MAX_VALUE_DEPTH = 60;

/** How long a request may be, without compression, and what it becomes when its spans are mapped. */
export const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** What a request may bring of one trace: as much as POST /api/traces takes. */
export const MAX_PIECE_BYTES = 10 * 1024 * 1024;
