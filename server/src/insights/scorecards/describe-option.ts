import { hash32ToHex, type OptionStat } from "@whytrace/contract";
import type { OptionFigures, SignatureFigures } from "../days/signature-figures.ts";
import type { SignatureNames } from "../names/read-signature-names.ts";

export const describeOption = (
  { step, sums }: OptionFigures,
  names: SignatureNames | undefined,
): OptionStat => ({
  step: hash32ToHex(step),
  name: names?.options.get(step) ?? "",
  rate: sums.rate,
  open: sums.open,
  unknown: sums.unknown,
});

export function neverChosen({ options }: SignatureFigures, names: SignatureNames | undefined): string[] {
  const chosen = new Set(options.map(({ step }) => step));
  return [...(names?.options ?? [])].filter(([step]) => !chosen.has(step)).map(([, name]) => name);
}
