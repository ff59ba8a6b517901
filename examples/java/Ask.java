import java.io.IOException;
import java.net.URI;
import java.net.http.*;

/** Asks the owner before it ships a build, and waits without a time limit: java Ask.java 420 */
public class Ask {
  public static void main(String[] args) throws InterruptedException {
    String url = System.getenv("COUNTERSIGN_URL"), token = System.getenv("COUNTERSIGN_TOKEN");
    if (url == null || token == null || token.isEmpty() || args.length != 1 || !args[0].matches("\\d+"))
      exit(2, "Usage: java Ask.java BUILD, which is a number, with COUNTERSIGN_URL and COUNTERSIGN_TOKEN set");
    String build = args[0], question = """
        {"question": "Ship build %s?", "options": [{"id": "ship", "label": "Ship now"}, {"id": "wait", "label": "Wait"}]}
        """.formatted(build);
    // With the same key, a repeated request never asks twice. Each request waits for up to a minute.
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/approvals?wait=60"))
        .header("Authorization", "Bearer " + token).header("Content-Type", "application/json")
        .header("Idempotency-Key", "ship-" + build).POST(HttpRequest.BodyPublishers.ofString(question)).build();
    for (HttpClient client = HttpClient.newHttpClient();; Thread.sleep(1000)) {
      try {
        HttpResponse<String> reply = client.send(request, HttpResponse.BodyHandlers.ofString());
        int status = reply.statusCode();
        boolean refused = status < 500 && status != 429 && !has(reply, "status", "pending|resolved");
        if (refused) exit(1, "Refused with status " + status + ": " + reply.body());
        if (!has(reply, "status", "resolved")) continue;
        boolean yes = has(reply, "resolvedBy", "owner") && has(reply, "optionId", "ship");
        System.out.println(yes ? "Shipping " + build : "Not shipping.");
        System.exit(yes ? 0 : 1);
      } catch (IOException away) {
        System.err.println("Trying again: " + away);
      }
    }
  }
  /** Whether a field has a value. Text inside the JSON cannot match, because its quotes are escaped. */
  static boolean has(HttpResponse<String> reply, String field, String value) {
    return java.util.regex.Pattern.compile("\"%s\"\\s*:\\s*\"(%s)\"".formatted(field, value)).matcher(reply.body()).find();
  }
  static void exit(int status, String words) { System.err.println(words); System.exit(status); }
}
