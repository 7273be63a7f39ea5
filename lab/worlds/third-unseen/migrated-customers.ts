import { RunRecorder } from "../run-recorder.ts";
import { mix } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * A help desk for three plans (recorded). About half-way the customers of the enterprise plan, and only they, are moved to another data
 * centre: from then on their runs fail much more, and their logins are looked at with `check_sso` and `read_audit_log`, which reveal
 * nothing and harm nothing.
 * Truth: none. Neither the plan nor the time alone explains it, both together do; both are recorded.
 */
export const MIGRATED_CUSTOMERS: World = {
  name: "third unseen: migrated customers",
  plants:
    "nothing: from some day on the runs of one plan (recorded) fail in 35-50 %, all others in 8-10 %; from then on these use `check_sso` and `read_audit_log` most",
  draw(random) {
    const migratesAt = random.uniform(0.4, 0.6);
    const broken = random.uniform(0.35, 0.5);
    const plans = mix({ free: 9, team: 6, enterprise: 5 });
    const works = mix({ search_articles: 4, get_account: 3, get_invoices: 2, reset_password: 1 });
    return {
      tools: [
        "get_account",
        "get_invoices",
        "check_sso",
        "read_audit_log",
        "search_articles",
        "reset_password",
        "reply",
      ],
      guilty: [],
      run(index, of) {
        const plan = random.oneOf(plans);
        const isMigrated = plan === "enterprise" && index / of >= migratesAt;
        const run = new RunRecorder(random);
        run.call("get_account");
        for (let left = random.between(1, 3); left > 0; left -= 1) {
          run.call(random.oneOf(works), random.chance(0.03) ? "temporary error" : null);
        }
        if (random.chance(isMigrated ? 0.8 : plan === "free" ? 0.05 : 0.2)) run.call("check_sso");
        if (random.chance(isMigrated ? 0.6 : 0.1)) run.call("read_audit_log");
        if (random.chance(0.4)) run.call(random.oneOf(works));
        const isFailed = random.chance(isMigrated ? broken : plan === "team" ? 0.1 : 0.08);
        run.call("reply", isFailed ? "customer's mailbox is not known" : null);
        return run.end(isFailed ? "ERROR" : "COMPLETED", { situation: `plan=${plan}` });
      },
    };
  },
};
