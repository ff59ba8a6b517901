import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { runSystem, testWith } from "@/lib/testing/test-with-programs";

/* Tests other HTTP clients, with their default settings, against our HTTP server. */
const { port } = await startFront();
const { token } = await anAppWith("approvals:write", "approvals:read");
const url = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), "countersign-clients-"));
afterAll(() => rmSync(folder, { recursive: true }));

testWith(["java"], "responds to Java's HttpClient despite an h2c upgrade offer", async () => {
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
          // A new client for each kind of body. Its first request opens a connection, and its
          // second reuses it.
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

testWith(["curl"], "responds to curl --http2 despite an h2c upgrade offer", async () => {
  const curl = async (...args: string[]) =>
    (await runSystem("curl", ["-s", "-w", " %{http_code}", "--http2", "-H", `Authorization: Bearer ${token}`, ...args]))
      .out;
  expect(await curl(`${url}/readyz`)).toBe('{"status":"ok"} 200');
  const posted = ["--json", JSON.stringify(aQuestion)];
  expect(await curl(...posted, `${url}/api/approvals`)).toMatch(/^\{"id":"apr_\w+"\} 201$/);
  expect(await curl(...posted, "-H", "Transfer-Encoding: chunked", `${url}/api/approvals`)).toMatch(/ 201$/);
});

/** A body that is too long for each of these endpoints. */
const long = join(folder, "long");
writeFileSync(long, Buffer.alloc(11_000_000, "x"));
const doors = ["/api/approvals", "/api/mcp", "/oauth/token", "/sign-in"];
const headers = {
  authorization: `Bearer ${token}`,
  origin: "http://localhost:3000",
  "content-type": "application/json",
};
const fiveTimes = doors.flatMap((path) => Array.from({ length: 5 }, () => `${path} 413`));

testWith(["python3"], "delivers the 413 response to Python's http.client and urllib", async () => {
  const program = `
import http.client, json, sys, urllib.error, urllib.request
port, doors, headers, file = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3]), sys.argv[4]
body = open(file, "rb").read()
for door in doors:
    for _ in range(5):
        sent = http.client.HTTPConnection("127.0.0.1", int(port))
        sent.request("POST", door, body, headers)
        print(door, sent.getresponse().status)
for door in doors:
    for _ in range(5):
        try:
            urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:" + port + door, body, headers))
        except urllib.error.HTTPError as refused:
            print(door, refused.code)
`;
  const args = ["-c", program, String(port), JSON.stringify(doors), JSON.stringify(headers), long];
  const { out, err } = await runSystem("python3", args);
  expect(out.trim().split("\n"), err).toEqual([...fiveTimes, ...fiveTimes]);
});

testWith(["go"], "delivers the 413 response to Go's net/http", async () => {
  const file = join(folder, "long.go");
  writeFileSync(
    file,
    `package main
import ("bytes"; "encoding/json"; "fmt"; "net/http"; "os")
func main() {
  var doors []string
  var headers map[string]string
  json.Unmarshal([]byte(os.Args[2]), &doors)
  json.Unmarshal([]byte(os.Args[3]), &headers)
  body, _ := os.ReadFile(os.Args[4])
  for _, door := range doors {
    for i := 0; i < 5; i++ {
      request, _ := http.NewRequest("POST", os.Args[1]+door, bytes.NewReader(body))
      for name, value := range headers { request.Header.Set(name, value) }
      reply, err := http.DefaultClient.Do(request)
      if err != nil { fmt.Println(door, err); continue }
      reply.Body.Close()
      fmt.Println(door, reply.StatusCode)
    }
  }
}`,
  );
  const env = { GO111MODULE: "off" };
  const { out, err } = await runSystem("go", ["run", file, url, JSON.stringify(doors), JSON.stringify(headers), long], {
    env,
  });
  expect(out.trim().split("\n"), err).toEqual(fiveTimes);
});

testWith(["curl"], "delivers the 413 response to curl with or without Expect", async () => {
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  for (const expecting of [[], ["-H", "Expect:"]]) {
    for (const path of doors) {
      for (let time = 0; time < 5; time++) {
        const args = ["-s", "-o", "/dev/null", "-w", `${path} %{http_code}`, ...given, ...expecting];
        const { status, out } = await runSystem("curl", [...args, "--data-binary", `@${long}`, url + path]);
        expect([status, out]).toEqual([0, `${path} 413`]);
      }
    }
  }
});
