/**
 * How deep arrays and maps may be nested in the value of an attribute. As JSON, one level of it is up to four levels of
 * the body: with this limit they stay below the one of the JSON scanner, and both encodings accept the same values.
 */
export const MAX_VALUE_DEPTH = 60;
