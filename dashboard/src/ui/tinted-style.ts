import type { DecisionPointType, SpanType } from "@whytrace/contract";
import type { CSSProperties } from "react";
import { colorOf } from "./type-color.ts";

/** `--tint` set to a type's colour, for what is drawn inside. */
export const tintedStyle = (type: DecisionPointType | SpanType, more: CSSProperties = {}): CSSProperties =>
  ({ "--tint": `var(${colorOf(type)})`, ...more }) as CSSProperties;
