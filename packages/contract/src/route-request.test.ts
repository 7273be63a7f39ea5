import { describe, expect, it } from "vitest";
import { routeRequest } from "./route-request.ts";

describe("the request of a route", () => {
  it("has the method and the path of its name", () => {
    expect(routeRequest("POST /api/keys", {})).toEqual({ method: "POST", path: "/api/keys" });
  });

  it("has parameters in the path, which can contain any character", () => {
    const params = { number: 31, id: "a/b?c#d %é" };
    expect(routeRequest("DELETE /api/issues/:number/comments/:id", { params }).path).toBe(
      "/api/issues/31/comments/a%2Fb%3Fc%23d%20%25%C3%A9",
    );
  });

  it("has the query in its order, without what is empty or undefined", () => {
    const query = { search: "a&b=c +", from: undefined, agent: "", page: 2, "metadata.key": "ü", why: false };
    expect(routeRequest("GET /api/traces", { query }).path).toBe(
      "/api/traces?search=a%26b%3Dc+%2B&page=2&metadata.key=%C3%BC&why=false",
    );
    expect(routeRequest("GET /api/traces", { query: { agent: "" } }).path).toBe("/api/traces");
  });
});
