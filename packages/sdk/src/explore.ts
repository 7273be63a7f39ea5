import { currentContext } from "./global-state.ts";
import { isSampled } from "./is-sampled.ts";
import { decide as decideWithout } from "./record.ts";
import { toJson } from "./send/to-json.ts";
import type { AnsweredDecision, AnyString, DecisionPointType, OpenDecision, OptionValue } from "./types.ts";

export interface Explore<Option> {
  /** The fraction of traces in which an option is drawn, 0 to 1. The trace id decides which. */
  share: number;
  /** Options that are never drawn. */
  never?: readonly Option[] | undefined;
}

export interface ExploredDecision<Option> extends OpenDecision<Option> {
  /** Without it, nothing is drawn. */
  explore?: Explore<NoInfer<Option>> | undefined;
}

/**
 * Makes a decision as `decide` of `@whytrace/sdk` does. In a share of the traces it draws one of the options at random instead of
 * calling `choose`, so that findings can measure what each option does. Of one type, at most one decision of a trace is drawn; outside
 * a recorded trace, none is.
 */
export function decide<const Option extends OptionValue>(
  type: DecisionPointType,
  decision: ExploredDecision<Option>,
): Promise<Option>;
/** The same for a `choose` that returns any string, for example what a model answers. */
export function decide<Answer extends string>(
  type: DecisionPointType,
  decision: AnsweredDecision<Answer> & { explore?: Explore<string> | undefined },
  ...checked: AnyString<Answer>
): Promise<string>;
export async function decide<Option>(
  type: DecisionPointType,
  { explore, ...decision }: ExploredDecision<Option>,
): Promise<Option> {
  const trace = currentContext()?.trace;
  const drawn = trace?.client.reportErrors(() => {
    const made = trace.recording?.trace.decisionPoints;
    const isDue = made?.every((one) => one.type !== type || one.probability === undefined);
    return explore && isDue ? draw(decision.options, explore, trace.id + type) : undefined;
  });
  if (!drawn) return decideWithout(type, decision);
  const { options, contextSnapshot } = decision;
  await decideWithout<unknown>(type, { options, contextSnapshot, ...drawn });
  return drawn.chosen;
}

/** Follows from trace and options, so that every process, and a run that is repeated, draws the same. */
function draw<Option>(
  options: readonly Option[],
  { share, never = [] }: Explore<Option>,
  place: string,
): { chosen: Option; probability: number } | undefined {
  const drawn = options.filter((option) => !never.includes(option));
  const key = `${place} ${JSON.stringify(toJson(drawn, "").value)}`;
  if (drawn.length < 2 || !isSampled(key, share)) return undefined;
  // Each is taken with the same probability as those after it.
  for (const [index, chosen] of drawn.entries())
    if (isSampled(`${index} ${key}`, 1 / (drawn.length - index)))
      return { chosen, probability: 1 / drawn.length };
  return undefined;
}
