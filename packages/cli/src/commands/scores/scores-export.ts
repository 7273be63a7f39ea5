import type { Command } from "../../command.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";

export const scoresExport: Command = {
  name: "scores export",
  about: "print all scores as JSON Lines, oldest first",
  positionals: [],
  options: TARGET_OPTIONS,
  async run(call) {
    const api = await readingApi(call);
    for await (const piece of await api.stream("/api/scores/export")) call.output.rawJson(piece);
    return undefined;
  },
};
