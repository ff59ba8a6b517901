import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import java.util.Map;
import java.util.stream.Collectors;

public class Main {
  public static void main(String[] args) throws Exception {
    // Plain http, for which Java's client offers h2c in its first request.
    var transport = StreamableHttpMcpTransport.builder().url(args[0])
      .customHeaders(Map.of("Authorization", "Bearer " + args[1])).build();
    try (var client = DefaultMcpClient.builder().transport(transport).build()) {
      var names = client.listTools().stream().map(ToolSpecification::name).sorted().collect(Collectors.joining(" "));
      System.out.println("tools " + names);
      var call = ToolExecutionRequest.builder().name("ask_owner")
        .arguments("{\"question\": \"Ship build 418?\", \"options\": [\"Ship now\", \"Wait\"]}").build();
      // LangChain4j's model receives structured content as JSON.
      var answer = new ObjectMapper().readTree(client.executeTool(call).resultText());
      System.out.println("heard " + answer.get("next").asText());
    }
  }
}
