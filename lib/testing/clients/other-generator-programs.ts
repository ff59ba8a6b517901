/** The same tests for clients from other generators (see `openapi-generator-programs.ts`). */
export const programs = {
  swaggerCodegen: `
import io.swagger.client.*;
import io.swagger.client.api.ApprovalsApi;
import io.swagger.client.model.*;
import java.util.List;

public class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(args[0]);
    client.setAccessToken(args[1]);
    ApprovalsApi approvals = new ApprovalsApi(client);
    ApprovalRequest question = new ApprovalRequest().question("Ship?")
      .addOptionsItem(new ApprovalOptionRequest().id("ship it").label("Ship now"))
      .addOptionsItem(new ApprovalOptionRequest().id("wait").label("Wait"));
    String id = approvals.submitApproval(question, null, null).getId();
    SubmittedApproval waited = approvals.submitApproval(question, null, 1);
    System.out.println("waited " + (waited.getId().length() == id.length()) + " " + waited.getStatus());
    List<Approval> listed = approvals.listApprovals("pending", 2, null).getData();
    System.out.println("listed " + listed.stream().anyMatch(it -> it.getId().equals(id)));
    Approval got = approvals.getApproval(id, null);
    Long created = got.getCreationTime();
    System.out.println("got " + got.getQuestion() + " " + (created > 1700000000000L) + " " + got.getStatus());
    AnswerRequest answer = new OptionAnswer().kind(OptionAnswer.KindEnum.OPTION).optionId("ship it");
    System.out.println("resolved " + approvals.resolveApproval(answer, id, null).isOk());
    Resolution resolution = approvals.getApproval(id, null).getResolution();
    System.out.println("answered " + resolution.getOptionId() + " " + resolution.getResolvedBy() + " " + (resolution.getResolvedAt() > 1700000000000L));
    try {
      approvals.resolveApproval(answer, id, null);
    } catch (ApiException refused) {
      System.out.println("again " + refused.getCode());
    }
  }
}`,

  openapiPythonClient: `
import sys
from countersign_client import AuthenticatedClient
from countersign_client.api.approvals import get_approval, list_approvals, resolve_approval, submit_approval
from countersign_client.models import ApprovalOptionRequest, ApprovalRequest, ListApprovalsStatus, OptionAnswer, OptionAnswerKind

host, token = sys.argv[1:]
client = AuthenticatedClient(base_url=host, token=token)
said = lambda *words: print(*(str(it).lower() if isinstance(it, bool) else getattr(it, "value", it) for it in words))
question = ApprovalRequest(question="Ship?", options=[
    ApprovalOptionRequest(id="ship it", label="Ship now"), ApprovalOptionRequest(id="wait", label="Wait")])
id = submit_approval.sync(client=client, body=question).id
waited = submit_approval.sync(client=client, body=question, wait=1)
said("waited", len(waited.id) == len(id), waited.status)
page = list_approvals.sync(client=client, status=ListApprovalsStatus.PENDING, limit=2)
said("listed", any(it.field_id == id for it in page.data))
got = get_approval.sync(id, client=client)
said("got", got.question, got.field_creation_time > 1_700_000_000_000, got.status)
answer = OptionAnswer(kind=OptionAnswerKind.OPTION, option_id="ship it")
said("resolved", resolve_approval.sync(id, client=client, body=answer).ok)
resolution = get_approval.sync(id, client=client).resolution
said("answered", resolution.option_id, resolution.resolved_by, resolution.resolved_at > 1_700_000_000_000)
said("again", resolve_approval.sync_detailed(id, client=client, body=answer).status_code)`,

  /** The generated models are used with their defaults, which send null for unset fields. */
  datamodelCodeGenerator: `
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from models import AnswerRequest, Approval, ApprovalOptionRequest, ApprovalPage, ApprovalRequest, Done, OptionAnswer, SubmittedApproval

host, token = sys.argv[1:]
said = lambda *words: print(*(str(it).lower() if isinstance(it, bool) else getattr(it, "value", it) for it in words))

def call(path, gives, body=None):
    data = body and body.model_dump_json().encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return gives.model_validate_json(urlopen(Request(host + path, data, headers)).read())

question = ApprovalRequest(question="Ship?", options=[
    ApprovalOptionRequest(id="ship it", label="Ship now"), ApprovalOptionRequest(id="wait", label="Wait")])
id = call("/api/approvals", SubmittedApproval, question).id
waited = call("/api/approvals?wait=1", SubmittedApproval, question)
said("waited", len(waited.id) == len(id), waited.status)
said("listed", any(it.field_id == id for it in call("/api/approvals?status=pending&limit=2", ApprovalPage).data))
got = call("/api/approvals/" + id, Approval)
said("got", got.question, got.field_creationTime > 1_700_000_000_000, got.status)
answer = AnswerRequest(OptionAnswer(kind="option", optionId="ship it"))
said("resolved", call(f"/api/approvals/{id}/resolve", Done, answer).ok)
resolution = call("/api/approvals/" + id, Approval).resolution
said("answered", resolution.optionId, resolution.resolvedBy, resolution.resolvedAt > 1_700_000_000_000)
try:
    call(f"/api/approvals/{id}/resolve", Done, answer)
except HTTPError as refused:
    said("again", refused.code)`,

  oapiCodegen: `
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/countersign/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}
	approvals := must(client.NewClientWithResponses(os.Args[1], client.WithRequestEditorFn(authorize)))
	question := client.ApprovalRequest{Question: "Ship?", Options: []client.ApprovalOptionRequest{
		{Id: "ship it", Label: "Ship now"}, {Id: "wait", Label: "Wait"}}}
	id := must(approvals.SubmitApprovalWithResponse(ctx, nil, question)).JSON201.Id
	wait, limit, pending := 1, 2, client.ListApprovalsParamsStatusPending
	waited := must(approvals.SubmitApprovalWithResponse(ctx, &client.SubmitApprovalParams{Wait: &wait}, question)).JSON201
	fmt.Println("waited", len(waited.Id) == len(id), *waited.Status)
	listed := false
	for _, it := range must(approvals.ListApprovalsWithResponse(ctx, &client.ListApprovalsParams{Status: &pending, Limit: &limit})).JSON200.Data {
		listed = listed || it.UnderscoreId == id
	}
	fmt.Println("listed", listed)
	got := must(approvals.GetApprovalWithResponse(ctx, id, nil)).JSON200
	var created int64 = got.UnderscoreCreationTime
	fmt.Println("got", got.Question, created > 1700000000000, got.Status)
	var answer client.AnswerRequest
	if err := answer.FromOptionAnswer(client.OptionAnswer{Kind: client.OptionAnswerKindOption, OptionId: "ship it"}); err != nil {
		panic(err)
	}
	fmt.Println("resolved", must(approvals.ResolveApprovalWithResponse(ctx, id, nil, answer)).JSON200.Ok)
	resolution := must(approvals.GetApprovalWithResponse(ctx, id, nil)).JSON200.Resolution
	fmt.Println("answered", *resolution.OptionId, resolution.ResolvedBy, resolution.ResolvedAt > 1700000000000)
	fmt.Println("again", must(approvals.ResolveApprovalWithResponse(ctx, id, nil, answer)).StatusCode())
}`,

  openapiTypescript: `
import createClient from "openapi-fetch";
import type { paths } from "./countersign.js";

const [baseUrl = "", token = ""] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { authorization: "Bearer " + token } });
const body = {
  question: "Ship?",
  options: [{ id: "ship it", label: "Ship now" }, { id: "wait", label: "Wait" }],
};
const id = (await api.POST("/api/approvals", { body })).data?.id ?? "";
const { data: waited } = await api.POST("/api/approvals", { body, params: { query: { wait: 1 } } });
console.log("waited", waited?.id.length === id.length, waited?.status);
const { data: page } = await api.GET("/api/approvals", { params: { query: { status: "pending", limit: 2 } } });
console.log("listed", page?.data.some((it) => it._id === id));
const one = { params: { path: { id } } };
const { data: got } = await api.GET("/api/approvals/{id}", one);
console.log("got", got?.question, Number(got?._creationTime) > 1_700_000_000_000, got?.status);
const answer = { ...one, body: { kind: "option", optionId: "ship it" } } as const;
console.log("resolved", (await api.POST("/api/approvals/{id}/resolve", answer)).data?.ok);
const { data: after } = await api.GET("/api/approvals/{id}", one);
console.log("answered", after?.resolution?.optionId, after?.resolution?.resolvedBy, Number(after?.resolution?.resolvedAt) > 1_700_000_000_000);
const { response, error } = await api.POST("/api/approvals/{id}/resolve", answer);
if (error?.error) console.log("again", response.status);
// A notification's optional fields may be left out.
const told: paths["/api/notifications"]["post"]["requestBody"]["content"]["application/json"] = { title: "Done" };
void told;`,
};
