import http from "node:http";

/** One app that calls one instance of the service. */
export type Client = {
  submit(): Promise<string>;
  resolve(id: string): Promise<void>;
  get(path: string): Promise<string>;
};

const agent = new http.Agent({ keepAlive: true });
const question = { question: "Ship build 418 to production?", options: [{ id: "ship", label: "Ship now" }] };

export function client(port: number, token: string): Client {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const call = (method: string, path: string, body?: object) =>
    new Promise<string>((resolve, reject) => {
      const sent = http.request({ agent, port, method, path, headers }, (reply) => {
        let text = "";
        reply.on("data", (piece) => (text += piece));
        reply.on("end", () =>
          (reply.statusCode ?? 0) < 300
            ? resolve(text)
            : reject(new Error(`${method} ${path}: ${reply.statusCode} ${text}`)),
        );
      });
      sent.on("error", reject).end(body && JSON.stringify(body));
    });
  return {
    submit: async () => (JSON.parse(await call("POST", "/api/approvals", question)) as { id: string }).id,
    resolve: async (id) =>
      void (await call("POST", `/api/approvals/${id}/resolve`, { kind: "option", optionId: "ship" })),
    get: (path) => call("GET", path),
  };
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
