import type { DecisionPointType, SpanType } from "@whytrace/contract";
import type { CSSProperties } from "react";
import { typeColor } from "./type-color.ts";

/** Sets `--tint` to the colour of a span or decision type, for the element and everything inside it. */
export const tintedStyle = (type: DecisionPointType | SpanType, style: CSSProperties = {}): CSSProperties =>
  ({ "--tint": `var(${typeColor(type)})`, ...style }) as CSSProperties;
