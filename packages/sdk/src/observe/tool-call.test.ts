import { expect, it } from "vitest";
import { toolNames } from "./read-json.ts";
import { itemCall, offeredName } from "./tool-call.ts";

it.each([
  ["a function", { name: "get_weather" }, "get_weather"],
  ["web search", { name: "web_search" }, "web_search_preview_2025_03_11"],
  ["computer use", { name: "computer" }, "computer_use_preview"],
  ["code execution", { name: "bash_code_execution" }, "code_execution"],
  ["a tool of an MCP server", { name: "find_page", toolset: "docs" }, "docs"],
  ["a member of a toolset", { name: "click", toolset: "browser" }, "browser_toolset_20260801"],
  ["a tool that was not offered", { name: "delete_all" }, undefined],
])("finds what a called tool was offered as: %s", (_, call, offered) => {
  const tools = [
    "get_weather",
    "get_weather_2024",
    "web_search_preview_2025_03_11",
    "computer_use_preview",
    "code_execution",
    "docs",
    "browser_toolset_20260801",
  ];
  expect(offeredName({ ...call, input: {} }, tools)).toBe(offered);
});

it("prefers the tool of that very name to a built-in tool", () => {
  expect(offeredName({ name: "web_search", input: {} }, ["web_search_preview", "web_search"])).toBe(
    "web_search",
  );
});

it("finds the MCP server or namespace that offers a tool of an OpenAI response", () => {
  const tools = toolNames([
    { type: "mcp", server_label: "docs" },
    { type: "mcp", server_label: "tickets" },
    { type: "namespace", name: "crm", tools: [] },
    { type: "mcp_toolset", mcp_server_name: "wiki" },
  ]);
  const found = [
    { type: "mcp_call", name: "open", server_label: "tickets", arguments: '{"id":7}' },
    { type: "function_call", name: "find", namespace: "crm", arguments: "{}" },
  ].map((item) => offeredName(itemCall(item), tools));
  expect(found).toEqual(["tickets", "crm"]);
  expect(tools).toContain("wiki");
});
