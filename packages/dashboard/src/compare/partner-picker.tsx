import { PARTNER_KINDS, type Partner } from "@whytrace/contract";
import { Kbd } from "../ui/badges.tsx";
import { MenuButton } from "../ui/controls/menu-button.tsx";
import { likeness, PARTNER_KIND_WORDS } from "./model/partner-words.ts";

interface PartnerPickerProps {
  partners: readonly Partner[];
  /** The partner that is shown; undefined if the user picked another run. */
  current: Partner | undefined;
  onChoose: (partner: Partner) => void;
  onPick: () => void;
}

/** Says why this run was chosen as a partner, and offers others. */
export function PartnerPicker({ partners, current, onChoose, onPick }: PartnerPickerProps) {
  const kinds = PARTNER_KINDS.flatMap((kind) => {
    const ofKind = partners.filter((partner) => partner.kind === kind);
    const [first] = ofKind;
    return first ? [{ kind, first, count: ofKind.length }] : [];
  });
  const ofKind = partners.filter(({ kind }) => kind === current?.kind);
  const index = current ? ofKind.indexOf(current) : -1;
  return (
    <div className="flex min-h-6 min-w-0 items-center gap-x-2 max-sm:flex-wrap">
      <MenuButton
        label="Runs to compare with"
        items={[
          ...kinds.map(({ kind, first, count }) => ({
            label: PARTNER_KIND_WORDS[kind],
            note: [likeness(first), first.release].filter(Boolean).join(", "),
            detail: count,
            isChosen: kind === current?.kind,
            onSelect: () => onChoose(first),
          })),
          { label: "Pick a run…", detail: <Kbd>p</Kbd>, onSelect: onPick },
        ]}
        className="text-left font-medium text-accent hover:underline max-sm:min-h-11"
        menuClassName="left-0 w-80 max-w-[calc(100vw-4rem)]"
      >
        {current ? `${PARTNER_KIND_WORDS[current.kind]}, ${likeness(current)}` : "Picked by you"}{" "}
        <span aria-hidden="true">▾</span>
      </MenuButton>
      {index >= 0 && ofKind.length > 1 && (
        <div className="ml-auto inline-flex shrink-0 items-center rounded-md border border-line text-xs">
          <StepButton label="Previous partner" partner={ofKind[index - 1]} onChoose={onChoose}>
            ‹
          </StepButton>
          <span className="whitespace-nowrap tabular-nums">
            {index + 1} of {ofKind.length}
          </span>
          <StepButton label="Next partner" partner={ofKind[index + 1]} onChoose={onChoose}>
            ›
          </StepButton>
        </div>
      )}
    </div>
  );
}

interface StepButtonProps {
  label: string;
  partner: Partner | undefined;
  onChoose: (partner: Partner) => void;
  children: string;
}

function StepButton({ label, partner, onChoose, children }: StepButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={!partner}
      onClick={() => partner && onChoose(partner)}
      className="grid h-6 w-6 place-items-center text-muted hover:text-text disabled:opacity-50 max-sm:size-11"
    >
      {children}
    </button>
  );
}
