import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import { type JudgedDecision, useVerdict } from "./use-verdict.ts";

interface VerdictKeysProps extends JudgedDecision {
  onJudged: () => void;
}

/** `+` says that the decision was right, `-` that it was wrong, `0` takes it back: as the keys for a run. */
export function VerdictKeys({ onJudged, ...decision }: VerdictKeysProps) {
  const { given, save } = useVerdict(decision);
  const judge = (verdict: "right" | "wrong") => {
    save({ verdict, shouldHaveBeen: null, note: given?.note ?? null });
    onJudged();
  };
  useShortcuts({
    "+": () => judge("right"),
    "-": () => judge("wrong"),
    "0": () => {
      if (given) save(null);
      onJudged();
    },
  });
  return null;
}
