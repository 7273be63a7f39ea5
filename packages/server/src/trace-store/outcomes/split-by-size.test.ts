import { newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expect, it } from "vitest";
import { splitBySize } from "./split-by-size.ts";

const { client, db } = await boot();

it("puts traces together up to a size, and leaves a larger one alone", async () => {
  const user = await newSender(client, db);
  const ids = ["a", "b", "c", "d", "e"];
  const spans = [4, 6, 1, 20, 3];
  await user.send(
    ids.map((id, index) => trace({ id, spans: Array.from({ length: spans[index] ?? 0 }, () => span()) })),
  );
  expect(await splitBySize(db, user.workspaceId, ids, 10)).toEqual([["a", "b"], ["c"], ["d"], ["e"]]);
});
