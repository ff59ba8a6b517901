/**
 * Programs that test openapi-generator's clients, by language. Each program makes the same calls
 * and prints the same lines (`printed`). Its arguments are the service's URL and a token.
 */
export const programs = {
  java: `
import org.openapitools.client.*;
import org.openapitools.client.api.ApprovalsApi;
import org.openapitools.client.model.*;
import java.util.List;

public class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
    ApprovalsApi approvals = new ApprovalsApi(client);
    ApprovalRequest question = new ApprovalRequest().question("Ship?").options(List.of(
      new ApprovalOptionRequest().id("ship it").label("Ship now"), new ApprovalOptionRequest().id("wait").label("Wait")));
    String id = approvals.submitApproval(question, null, null).getId();
    SubmittedApproval waited = approvals.submitApproval(question, 1, null);
    System.out.println("waited " + (waited.getId().length() == id.length()) + " " + waited.getStatus());
    System.out.println("listed " + approvals.listApprovals("pending", 2, null).getData().stream().anyMatch(it -> it.getId().equals(id)));
    Approval got = approvals.getApproval(id, null);
    System.out.println("got " + got.getQuestion() + " " + (got.getCreationTime() > 1700000000000L) + " " + got.getStatus());
    AnswerRequest answer = new AnswerRequest(new OptionAnswer().kind(OptionAnswer.KindEnum.OPTION).optionId("ship it"));
    System.out.println("resolved " + approvals.resolveApproval(id, answer, null).getOk());
    Resolution resolution = approvals.getApproval(id, null).getResolution();
    System.out.println("answered " + resolution.getOptionId() + " " + resolution.getResolvedBy() + " " + (resolution.getResolvedAt() > 1700000000000L));
    try {
      approvals.resolveApproval(id, answer, null);
    } catch (ApiException refused) {
      System.out.println("again " + refused.getCode());
    }
  }
}`,
  typescript: `
import { ApprovalsApi, Configuration, ResponseError, type AnswerRequest, type ApprovalRequest } from "./index";

async function main([basePath = "", token = ""]: string[]) {
  const approvals = new ApprovalsApi(new Configuration({ basePath, accessToken: "Bearer " + token }));
  const approvalRequest: ApprovalRequest = {
    question: "Ship?",
    options: [{ id: "ship it", label: "Ship now" }, { id: "wait", label: "Wait" }],
  };
  const { id } = await approvals.submitApproval({ approvalRequest });
  const waited = await approvals.submitApproval({ approvalRequest, wait: 1 });
  console.log("waited", waited.id.length === id.length, waited.status);
  const { data } = await approvals.listApprovals({ status: "pending", limit: 2 });
  console.log("listed", data.some((it) => it.id === id));
  const got = await approvals.getApproval({ id });
  console.log("got", got.question, got.creationTime > 1_700_000_000_000, got.status);
  const answerRequest: AnswerRequest = { kind: "option", optionId: "ship it" };
  console.log("resolved", (await approvals.resolveApproval({ id, answerRequest })).ok);
  const { resolution } = await approvals.getApproval({ id });
  console.log("answered", resolution?.optionId, resolution?.resolvedBy, Number(resolution?.resolvedAt) > 1_700_000_000_000);
  await approvals.resolveApproval({ id, answerRequest }).catch((error: unknown) => {
    if (error instanceof ResponseError) console.log("again", error.response.status);
  });
}

void main(process.argv.slice(2));`,
  python: `
import sys
from openapi_client import ApiClient, ApiException, ApprovalsApi, Configuration
from openapi_client.models import AnswerRequest, ApprovalOptionRequest, ApprovalRequest, OptionAnswer

host, token = sys.argv[1:]
approvals = ApprovalsApi(ApiClient(Configuration(host=host, access_token=token)))
question = ApprovalRequest(question="Ship?", options=[
    ApprovalOptionRequest(id="ship it", label="Ship now"), ApprovalOptionRequest(id="wait", label="Wait")])
said = lambda *words: print(*(str(it).lower() if isinstance(it, bool) else it for it in words))
id = approvals.submit_approval(question).id
waited = approvals.submit_approval(question, wait=1)
said("waited", len(waited.id) == len(id), waited.status)
said("listed", any(it.id == id for it in approvals.list_approvals(status="pending", limit=2).data))
got = approvals.get_approval(id)
said("got", got.question, got.creation_time > 1_700_000_000_000, got.status)
answer = AnswerRequest(OptionAnswer(kind="option", optionId="ship it"))
said("resolved", approvals.resolve_approval(id, answer).ok)
resolution = approvals.get_approval(id).resolution
said("answered", resolution.option_id, resolution.resolved_by, resolution.resolved_at > 1_700_000_000_000)
try:
    approvals.resolve_approval(id, answer)
except ApiException as refused:
    said("again", refused.status)`,
  go: `
package main

import (
	"context"
	"fmt"
	"os"

	client "example.com/countersign"
)

func must[T any](value T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	config := client.NewConfiguration()
	config.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	config.AddDefaultHeader("Authorization", "Bearer "+os.Args[2])
	approvals, ctx := client.NewAPIClient(config).ApprovalsAPI, context.Background()
	question := client.NewApprovalRequest("Ship?", []client.ApprovalOptionRequest{
		*client.NewApprovalOptionRequest("ship it", "Ship now"), *client.NewApprovalOptionRequest("wait", "Wait")})
	id := must(approvals.SubmitApproval(ctx).ApprovalRequest(*question).Execute()).GetId()
	waited := must(approvals.SubmitApproval(ctx).ApprovalRequest(*question).Wait(1).Execute())
	fmt.Println("waited", len(waited.GetId()) == len(id), waited.GetStatus())
	listed := false
	for _, it := range must(approvals.ListApprovals(ctx).Status("pending").Limit(2).Execute()).GetData() {
		listed = listed || it.GetId() == id
	}
	fmt.Println("listed", listed)
	got := must(approvals.GetApproval(ctx, id).Execute())
	var created int64 = got.GetCreationTime()
	fmt.Println("got", got.GetQuestion(), created > 1700000000000, got.GetStatus())
	answer := client.OptionAnswerAsAnswerRequest(client.NewOptionAnswer("option", "ship it"))
	fmt.Println("resolved", must(approvals.ResolveApproval(ctx, id).AnswerRequest(answer).Execute()).GetOk())
	resolution := must(approvals.GetApproval(ctx, id).Execute()).GetResolution()
	fmt.Println("answered", resolution.GetOptionId(), resolution.GetResolvedBy(), resolution.GetResolvedAt() > 1700000000000)
	_, reply, _ := approvals.ResolveApproval(ctx, id).AnswerRequest(answer).Execute()
	fmt.Println("again", reply.StatusCode)
}`,
};
