import type { OtlpValue } from "./otlp-span.ts";
import { shortName } from "./short-name.ts";

/** Sets a key of a map. `__proto__` is a key like any other. */
export function setKey(map: { [key: string]: OtlpValue }, sentKey: string, value: OtlpValue) {
  const key = shortName(sentKey);
  if (key === "__proto__")
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}

/** JSON has no number for NaN and the infinities, so they are kept by name, as OTLP/JSON writes them. */
export const doubleValue = (value: number): OtlpValue => (Number.isFinite(value) ? value : String(value));

/** 0 unset, 1 ok, 2 error; a code that OTLP does not define counts as unset. */
export const statusCodeOf = (code: number): number => (code === 1 || code === 2 ? code : 0);
