import type { Dithering, Suspect } from "@whytrace/contract";
import { Term } from "../../shell/term.tsx";
import { typeLabel } from "../../ui/badges.tsx";

/** Says why a decision looks undecided. */
export function DitheringNote({ suspect }: { suspect: Suspect }) {
  const { dithering, type, option } = suspect;
  if (!dithering) return null;
  return (
    <p className="flex gap-2 border-b border-line px-4 py-2 text-xs">
      <span aria-hidden="true" className="text-retry">
        ⟳
      </span>
      <span>
        <span className="font-semibold">
          {dithering.kind === "named-other-option" ? (
            "Reason contradicts choice"
          ) : (
            <Term word="step">Repeated step</Term>
          )}
          :
        </span>{" "}
        {typeLabel(type)} “{option}” {describeDithering(dithering)}
      </span>
    </p>
  );
}

function describeDithering({ kind, option }: Dithering): string {
  if (kind === "back-and-forth") return "returned to where the run came from.";
  if (kind === "named-other-option") return `was chosen, but its reasoning speaks for “${option ?? ""}”.`;
  return "did the same again, although nothing had changed.";
}
