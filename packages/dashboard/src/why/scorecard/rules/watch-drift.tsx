import { Link } from "@tanstack/react-router";
import type { Scorecard, ScorecardOption } from "@whytrace/contract";
import { useState } from "react";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Dialog } from "../../../ui/controls/dialog.tsx";
import { RuleForm } from "./rule-form.tsx";
import { RuleList } from "./rule-list.tsx";

/** Opens the rules of a decision: how often an option may be chosen, or that it must not be. */
export function WatchDrift({ card, selected }: { card: Scorecard; selected: ScorecardOption | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Add CI rule</Button>
      <Dialog title="Add CI rule" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <p className="text-muted">
          A rule says how often an option may be chosen. <code>whytrace drift --fail</code> checks all rules,
          for example in a CI job before a release.{" "}
          <Link to={paths.rules} className="text-accent underline">
            All rules
          </Link>
        </p>
        <RuleList card={card} />
        <RuleForm card={card} option={selected ?? card.options[0]} />
      </Dialog>
    </>
  );
}
