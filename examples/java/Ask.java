import java.io.IOException;
import java.net.URI;
import java.net.http.*;

/** Asks the owner before a build is shipped, and waits for as long as it takes: java Ask.java 420 */
public class Ask {
  public static void main(String[] args) throws Exception {
    int build = Integer.parseInt(args[0]);
    String question = """
        {"question": "Ship build %d?", "options": [{"id": "ship", "label": "Ship now"}, {"id": "wait", "label": "Wait"}]}
        """.formatted(build);
    // With the same key it is the same question, however often it is sent; each time the service waits for a minute.
    HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("COUNTERSIGN_URL") + "/api/approvals?wait=60"))
        .header("Authorization", "Bearer " + System.getenv("COUNTERSIGN_TOKEN"))
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", "ship-" + build)
        .POST(HttpRequest.BodyPublishers.ofString(question))
        .build();
    HttpClient client = HttpClient.newHttpClient();
    for (;; Thread.sleep(1000)) {
      try {
        HttpResponse<String> reply = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (has(reply, "status", "resolved")) {
          boolean yes = has(reply, "resolvedBy", "owner") && has(reply, "optionId", "ship");
          System.out.println(yes ? "Shipping " + build : "Not shipping.");
          System.exit(yes ? 0 : 1);
        }
        int status = reply.statusCode();
        if (status >= 400 && status < 500 && status != 429) throw new IllegalStateException(status + " " + reply.body());
      } catch (IOException away) {
        System.err.println("Trying again: " + away);
      }
    }
  }

  /** Whether a field has a value. No text inside the JSON looks like one, since its quotes are escaped. */
  static boolean has(HttpResponse<String> reply, String field, String value) {
    return java.util.regex.Pattern.compile("\"%s\"\\s*:\\s*\"%s\"".formatted(field, value)).matcher(reply.body()).find();
  }
}
