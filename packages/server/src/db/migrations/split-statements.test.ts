import { expect, it } from "vitest";
import { splitStatements } from "./split-statements.ts";

it("splits a migration where statements end, and nowhere else", () => {
  const migration = `-- no transaction; a comment
    create table a (b text default ';' check (b <> 'it''s; -- no comment'), c int default 1 - 2); -- and; one more
    do $$
    begin
      -- inside
      if true then alter table a add d int; end if;
    end $$;
    select '$$;$$', $1`;
  expect(splitStatements(migration)).toEqual([
    "create table a (b text default ';' check (b <> 'it''s; -- no comment'), c int default 1 - 2)",
    expect.stringMatching(/^do \$\$[\s\S]*add d int; end if;\s+end \$\$$/),
    "select '$$;$$', $1",
  ]);
});
