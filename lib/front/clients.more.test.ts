import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { startFront } from "@/lib/testing/api";
import { anAppWith } from "@/lib/testing/factories";
import { runSystem, testWith } from "@/lib/testing/programs";
import { aQuestion } from "@/lib/testing/questions";

/** Other people's HTTP clients as they come, against the front. */
const { port } = await startFront();
const { token } = await anAppWith("approvals:write", "approvals:read");
const url = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), "countersign-clients-"));
afterAll(() => rmSync(folder, { recursive: true }));

testWith(["java"], "F1 Java's HttpClient, which offers h2c first, gets, posts and posts in chunks", async () => {
  const file = join(folder, "Ask.java");
  writeFileSync(
    file,
    `import java.io.*; import java.net.URI; import java.net.http.*;
    public class Ask {
      public static void main(String[] given) throws Exception {
        byte[] body = given[2].getBytes("UTF-8");
        for (var publisher : new HttpRequest.BodyPublisher[] {
          HttpRequest.BodyPublishers.ofByteArray(body),
          HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)),
          null,
        }) {
          // A client of its own for each, so that each is the first request of a connection; then one more on the same.
          var client = HttpClient.newHttpClient();
          for (int again = 0; again < 2; again++) {
            var request = HttpRequest.newBuilder(URI.create(given[0] + "/api/approvals"))
              .header("Authorization", "Bearer " + given[1]).header("Content-Type", "application/json");
            request = publisher == null ? request.GET() : request.POST(publisher);
            System.out.println(client.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode());
          }
        }
      }
    }`,
  );
  const { out, err } = await runSystem("java", [file, url, token, JSON.stringify(aQuestion)]);
  expect(out.trim().split("\n"), err).toEqual(["201", "201", "201", "201", "200", "200"]);
});

testWith(["curl"], "F1 curl --http2, which offers h2c, gets and posts", async () => {
  const curl = async (...args: string[]) =>
    (await runSystem("curl", ["-s", "-w", " %{http_code}", "--http2", "-H", `Authorization: Bearer ${token}`, ...args]))
      .out;
  expect(await curl(`${url}/readyz`)).toBe('{"status":"ok"} 200');
  const posted = ["--json", JSON.stringify(aQuestion)];
  expect(await curl(...posted, `${url}/api/approvals`)).toMatch(/^\{"id":"apr_\w+"\} 201$/);
  expect(await curl(...posted, "-H", "Transfer-Encoding: chunked", `${url}/api/approvals`)).toMatch(/ 201$/);
});
