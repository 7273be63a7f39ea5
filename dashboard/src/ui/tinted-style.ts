import type { DecisionPointType, SpanType } from "@whytrace/contract";
import type { CSSProperties } from "react";
import { typeColor } from "./type-color.ts";

/** `--tint` set to a type's colour, for what is drawn inside. */
export const tintedStyle = (type: DecisionPointType | SpanType, more: CSSProperties = {}): CSSProperties =>
  ({ "--tint": `var(${typeColor(type)})`, ...more }) as CSSProperties;
