import type { App } from "../http/app-instance.ts";

/** Makes a scope leave every body to its handler, whatever its content type. */
export function leaveBodies(scope: App) {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", async () => undefined);
  // Closing the connection while the client still sends would reset it and lose the response: the client closes it.
  scope.addHook("onSend", async (_request, reply, payload) => {
    if (reply.statusCode === 413) reply.raw.shouldKeepAlive = true;
    return payload;
  });
}
