// A webhook receiver with a delay in milliseconds. GET returns its message count, and PUT sets the
// delay.
import { createServer } from "node:http";

let [count, ms] = [0, 20];
const server = createServer((request, response) => {
  if (request.method === "GET") return void response.end(JSON.stringify({ count }));
  let body = "";
  request.setEncoding("utf8").on("data", (piece) => (body += piece));
  request.on("end", () => {
    if (request.method === "PUT") {
      ms = Number(body);
      return void response.end();
    }
    count++;
    if (ms === 0) response.writeHead(204).end();
    else setTimeout(() => response.writeHead(204).end(), ms);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address().port));
process.once("disconnect", () => process.exit());
