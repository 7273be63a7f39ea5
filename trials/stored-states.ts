import { select } from "@whytrace/testing/trial.ts";

/** What the tables hold of packed and unpacked payloads. */
export class StoredStates {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async #count(statement: string): Promise<number> {
    const [row] = await select<{ count: string }>(this.#url, statement);
    return Number(row?.count);
  }

  countPacked(): Promise<number> {
    return this.#count("select count(*) from traces where is_packed");
  }

  countLeft(isPacked: boolean): Promise<number> {
    return this.#count(
      isPacked
        ? "select count(*) from traces where not is_packed"
        : "select count(distinct (user_id, trace_id)) from trace_payloads",
    );
  }

  /** Until when another process than the next server holds the right to move payloads. */
  async setLease(endsAt: "-infinity" | "infinity"): Promise<void> {
    await select(
      this.#url,
      `insert into worker_leases (job, number, ends_at) values ('move payloads', 1, '${endsAt}')
       on conflict (job) do update set ends_at = excluded.ends_at`,
    );
  }

  /** Whether a transaction that moves payloads is running. */
  async isMoving(): Promise<boolean> {
    const count = await this.#count(`
      select count(*) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
        and query ~ 'skip locked|coalesce\\(is_packed|is_packed = (true|false|null)|synchronous_commit'`);
    return count > 0;
  }

  /** Traces whose payloads are in rows and in parts, or in neither, and parts without a trace. */
  findFaults(): Promise<number> {
    const inRows = `exists (
      select from spans where user_id = trace.user_id and trace_id = trace.id
        and (is_packed is distinct from true or input is not null or output is not null or metadata is not null)
      union all
      select from events where user_id = trace.user_id and trace_id = trace.id
        and (is_packed is distinct from true or metadata is not null))`;
    const inParts =
      "exists (select from trace_payloads where user_id = trace.user_id and trace_id = trace.id)";
    return this.#count(`
      select (select count(*) from traces as trace
          where is_packed and (${inRows} or not ${inParts}) or not is_packed and (not ${inRows} or ${inParts}))
        + (select count(*) from trace_payloads as payloads
          where not exists (select from traces where user_id = payloads.user_id and id = trace_id)) as count`);
  }

  async describe(): Promise<string> {
    const [row] = await select<Record<string, string>>(
      this.#url,
      `select count(*) as traces, count(*) filter (where is_packed) as packed,
         (select count(*) from trace_payloads) as parts,
         (select coalesce(sum(length(bytes)), 0) / 1048576 from trace_payloads) as mib from traces`,
    );
    return `${row?.packed} of ${row?.traces} traces packed, in ${row?.parts} parts of ${row?.mib} MiB`;
  }
}
