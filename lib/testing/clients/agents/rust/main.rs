use rmcp::model::CallToolRequestParams;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::ServiceExt;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let config = StreamableHttpClientTransportConfig::with_uri(args[1].clone()).auth_header(args[2].clone());
    let client = ().serve(StreamableHttpClientTransport::from_config(config)).await?;
    let mut names: Vec<_> = client.list_all_tools().await?.into_iter().map(|tool| tool.name).collect();
    names.sort();
    println!("tools {}", names.join(" "));
    let question = serde_json::json!({"question": "Ship build 418?", "options": ["Ship now", "Wait"]});
    let call = CallToolRequestParams::new("ask_owner").with_arguments(question.as_object().unwrap().clone());
    println!("heard {}", client.call_tool(call).await?.content[0].as_text().unwrap().text);
    client.cancel().await?;
    Ok(())
}
