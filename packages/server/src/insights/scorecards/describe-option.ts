import { hash32ToHex, type OptionStat } from "@whytrace/contract";
import { optionReadings } from "../days/option-readings.ts";
import type { VoteTotals } from "../days/run-totals.ts";
import type { OptionFigures, SignatureFigures } from "../days/signature-figures.ts";
import type { Tally } from "../days/tally.ts";
import type { SignatureNames } from "../names/read-signature-names.ts";

export const describeOption = (
  option: OptionFigures,
  names: SignatureNames | undefined,
  tally: Tally,
  votes: VoteTotals,
): OptionStat => ({
  step: hash32ToHex(option.step),
  name: names?.options.get(option.step) ?? "",
  rate: option.sums.rate,
  open: option.sums.open,
  unknown: option.sums.unknown,
  ...optionReadings(tally, option, votes),
});

export function neverChosen({ options }: SignatureFigures, names: SignatureNames | undefined): string[] {
  const chosen = new Set(options.map(({ step }) => step));
  return [...(names?.options ?? [])].filter(([step]) => !chosen.has(step)).map(([, name]) => name);
}
