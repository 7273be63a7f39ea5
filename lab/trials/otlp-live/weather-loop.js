/** An agent on OpenAI's chat completions, written by hand. */
export const TOOLS = ["get_weather", "get_time"].map((name) => ({
  type: "function",
  function: {
    name,
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
}));

export async function askAboutWeather(openai, runTool) {
  const messages = [{ role: "user", content: "How is the weather?" }];
  for (let turn = 0; turn < 4; turn++) {
    const { choices } = await openai.chat.completions.create({
      model: "gpt-5.4-mini",
      messages,
      tools: TOOLS,
    });
    const [{ message }] = choices;
    messages.push(message);
    if (!message.tool_calls) return message.content;
    for (const { id, function: called } of message.tool_calls) {
      const content = await runTool(called.name, JSON.parse(called.arguments));
      messages.push({ role: "tool", tool_call_id: id, content });
    }
  }
}
