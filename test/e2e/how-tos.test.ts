import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { simulatorCredentials } from '../../src/sandbox/processes/simulator-process.ts';
import { readPageAt } from '../support/documents.ts';
import { eventually } from '../support/kubernetes.ts';
import { type SandboxRun, startSandbox } from '../support/sandbox.ts';
import { type SimulatorClient, simulatorClient } from '../support/simulator-client.ts';
import { filledIn, openTerminal, type Passage, passagesOf, promisedBy, type Terminal } from '../support/walkthrough.ts';

/**
 * Every command of the how-tos is run, one page after the other, in one sandbox with cert-manager whose account has SIMs,
 * a gateway and sites that nobody describes yet. What can't be run there is named with the reason.
 */
const cluster = 'the operator of the sandbox is a process, not a pod';
const terraform = 'there is no Terraform here: the state is put where it would be';
const helm = 'test/e2e/helm/lifecycle.test.ts runs it';
const elsewhere: Readonly<Record<string, string>> = {
  'npm start -- --cert-manager': 'this sandbox was started with it',
  'kubectl -n edgeline-system rollout status deployment/edgeline-operator': cluster,
  'kubectl -n edgeline-system scale deployment/edgeline-operator --replicas=0': cluster,
  'kubectl -n edgeline-system get pods\nkubectl -n edgeline-system logs deployment/edgeline-operator --tail=50':
    cluster,
  'kubectl -n edgeline-system port-forward deployment/edgeline-operator 8080': cluster,
  'velero restore create': 'Velero needs a cluster with pods and an object storage',
  'helm uninstall edgeline -n edgeline-system --wait': helm,
  'kubectl delete crd -l app.kubernetes.io/name=edgeline': helm,
  'terraform apply -refresh-only\nterraform state pull > fleet.tfstate': terraform,
  'sh forget.sh\nterraform plan': terraform,
  'openssl s_client -connect www.example.jp:443': 'the simulated service serves no content',
};

const directory = mkdtempSync(join(tmpdir(), 'how-tos-'));
/** With `edgeline`, as docs/install-cli.md puts it on the PATH. */
const bin = join(directory, 'bin');
const terminals: Terminal[] = [];
const unrun = new Set(Object.keys(elsewhere));
let sandbox: SandboxRun;
let toPaste: string;
let simulator: SimulatorClient;
let settings: Record<string, string>;

const BUS = '8981040000000000550';
/** Inactive, without carriers, named beyond ASCII. */
const SPARE = '8981040000000000568';
/** Of the one that Terraform knows. */
const FERRY = '8981040000000000576';

beforeAll(async () => {
  const examples = join(directory, 'examples');
  mkdirSync(join(examples, 'cert-manager'), { recursive: true });
  for (const file of ['pass-codes.yaml', 'cert-manager/issuer.yaml']) {
    copyFileSync(join(packageRoot(), 'deploy', 'examples', file), join(examples, file));
  }
  mkdirSync(bin);
  symlinkSync(join(packageRoot(), 'dist', 'edgeline.mjs'), join(bin, 'edgeline'));
  const data = join(directory, 'data');
  sandbox = startSandbox(['--cert-manager', '--examples', examples, '--data-dir', data]);
  toPaste = await sandbox.untilReady();
  simulator = simulatorClient(/CONTROL=(\S+)/.exec(toPaste)?.[1] ?? '');
  settings = {
    SERVICE: /^simulator: (\S+)$/m.exec(sandbox.stdout())?.[1] ?? '',
    ACCESS_TOKEN: simulatorCredentials.accessToken,
    ACCESS_TOKEN_SECRET: simulatorCredentials.accessTokenSecret,
    CA_FILE: join(data, 'simulator-ca.crt'),
    CLONE: packageRoot(),
    NAMESPACE: 'edgeline-demo',
    NAME: 'bus-1',
  };
}, 900_000);

afterAll(async () => {
  for (const terminal of terminals) terminal.dispose();
  sandbox.child.kill('SIGINT');
  await sandbox.ended;
  sandbox.dispose();
  rmSync(directory, { recursive: true });
});

/** A second terminal beside the sandbox, for the namespace of its examples. */
async function open(start?: string): Promise<Terminal> {
  const env = {
    CURL_CA_BUNDLE: settings['CA_FILE'] ?? '',
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
  };
  const terminal = openTerminal({ env, ...(start !== undefined && { directory: start }) });
  terminals.push(terminal);
  const first = `${toPaste}\nkubectl config set-context --current --namespace=edgeline-demo`;
  expect(await terminal.paste(first)).toEqual({ code: 0, output: 'Context "sandbox" modified.\n' });
  return terminal;
}

/** Follows a page to its end and gives the terminal it was done in. */
async function follow(path: string, options: { readonly in?: string } = {}): Promise<Terminal> {
  const terminal = await open(options.in);
  for (const passage of passagesOf(readPageAt(path))) {
    const reason = Object.keys(elsewhere).find((beginning) => passage.commands.startsWith(beginning));
    if (reason !== undefined) unrun.delete(reason);
    else await expectToWork(terminal, passage);
  }
  return terminal;
}

async function expectToWork(terminal: Terminal, passage: Passage): Promise<void> {
  const filled = filledIn(passage, settings);
  const { commands } = filled;
  expect({ commands, ...(await terminal.follow(filled)) }).toEqual({ commands, ...promisedBy(filled) });
}

/** Whatever changed something at the service, as `METHOD /route`. */
async function writes(): Promise<string[]> {
  const { requests } = await simulator.requests();
  return requests.filter(({ method }) => method !== 'GET').map(({ route }) => route);
}

const gateways = async () => Object.values((await simulator.state()).gateways).map((gateway) => gateway?.['name']);
const iccids = async () => Object.values((await simulator.state()).sims).map((sim) => sim?.['iccid']);

/** What Terraform knows of a gateway, a SIM on it and a site. */
function ferryState(ids: { readonly gateway: string; readonly sim: string; readonly site: string }): string {
  const provider = 'provider["registry.terraform.io/sacloud/sakuracloud"]';
  const resource = (type: string, name: string, attributes: object, key?: number) => ({
    mode: 'managed',
    type: `sakuracloud_${type}`,
    name,
    provider,
    instances: [{ ...(key !== undefined && { index_key: key }), schema_version: 0, attributes }],
  });
  const origin = { type: 'web', origin: 'origin.example.jp', protocol: 'http' };
  return JSON.stringify({
    version: 4,
    terraform_version: '1.9.8',
    resources: [
      resource('mobile_gateway', 'coast', {
        id: ids.gateway,
        name: 'coast',
        zone: 'tk1a',
        internet_connection: true,
        dns_servers: ['133.242.0.3', '133.242.0.4'],
        sim: [{ sim_id: ids.sim, ip_address: '10.9.0.7' }],
      }),
      resource(
        'sim',
        'ferry',
        { id: ids.sim, name: 'ferry', iccid: FERRY, passcode: '1234', carrier: ['kddi', 'softbank'], enabled: true },
        7,
      ),
      resource('webaccel', 'ferry', {
        id: ids.site,
        name: 'ferry',
        request_protocol: 'http+https',
        origin_parameters: [origin],
      }),
    ],
  });
}

describe('the how-tos', { timeout: 300_000 }, () => {
  it('adopting.md takes a whole account over and writes nothing at the service', async () => {
    await simulator.add('gateways', { name: 'old depot', zone: 'is1b', internetConnection: true });
    await simulator.add('sims', {
      iccid: BUS,
      name: 'bus "1"',
      activated: true,
      gateway: 'old depot',
      ip: '10.0.0.55',
    });
    await simulator.add('sims', { iccid: SPARE, name: '予備「%d」', activated: false });
    await simulator.add('sites', { name: '日本語', domain: '日本語.jp' });
    await simulator.add('sites', { name: 'closed', domain: '写真.日本語.jp', status: 'disabled' });
    // Different domains that differ in nothing but a dot.
    for (const domain of ['a-b.example.jp', 'a.b.example.jp']) await simulator.add('sites', { name: domain, domain });
    const terminal = await follow('docs/adopting.md');
    const { output } = await terminal.paste(
      `kubectl get sim bus-1 -o jsonpath='{.spec.displayName} {.spec.ipAddress} {.spec.carriers[*].name} {.status.ownership}'`,
    );
    expect(output).toBe('bus "1" 10.0.0.55 KDDI SoftBank Adopted');
    const columns = 'NAME:.metadata.name,DOMAIN:.status.domain,STATUS:.status.status';
    const sites = await terminal.paste(`kubectl get wsite --no-headers -o custom-columns=${columns} | tr -s ' '`);
    expect(sites.output.trim().split('\n')).toEqual([
      // What has no letter in its name is called by its ID.
      expect.stringMatching(/^\d{12} 日本語\.jp enabled$/),
      'a-b.example.jp a-b.example.jp enabled',
      'a.b.example.jp a.b.example.jp enabled',
      'closed 写真.日本語.jp disabled',
      'media media.example.jp enabled',
      'shop shop.example.jp enabled',
    ]);
    expect(await writes()).toEqual([]);
  });

  it('import-terraform.md takes over what a state describes and writes nothing at the service', async () => {
    const workspace = join(directory, 'terraform');
    mkdirSync(workspace);
    const gateway = await simulator.add('gateways', {
      name: 'coast',
      zone: 'tk1a',
      internetConnection: true,
      instanceStatus: 'up',
    });
    const sim = await simulator.add('sims', {
      iccid: FERRY,
      name: 'ferry',
      activated: true,
      gateway: 'coast',
      ip: '10.9.0.7',
    });
    const site = await simulator.add('sites', { name: 'ferry', domain: 'ferry.example.jp' });
    writeFileSync(join(workspace, 'fleet.tfstate'), ferryState({ gateway: gateway.id, sim: sim.id, site: site.id }));
    const before = await writes();
    const terminal = await follow('docs/import-terraform.md', { in: workspace });
    const { output } = await terminal.paste(
      'kubectl get sim/ferry-7 mgw/coast wsite/ferry -o jsonpath=\'{range .items[*]}{.metadata.name} {.status.id} {.spec.managementPolicy}{"\\n"}{end}\'',
    );
    expect(output).toBe(`ferry-7 ${sim.id} \ncoast ${gateway.id} \nferry ${site.id} \n`);
    expect(readdirSync(workspace)).toEqual(['fleet', 'forget.sh']);
    expect(readFileSync(join(workspace, 'forget.sh'), 'utf8')).toContain(
      "terraform state rm 'sakuracloud_sim.ferry[7]'\n",
    );
    expect(await writes()).toEqual(before);
  });

  it('accounts.md', async () => {
    await simulator.add('sims', { iccid: '8981040000000000907', name: 'crane-1' });
    await follow('docs/accounts.md');
    expect(await writes()).toEqual([]);
  });

  it('cert-manager.md', async () => {
    await follow('docs/cert-manager.md');
    expect(await writes()).toEqual(['POST webaccel/site/:id/certificate', 'PUT webaccel/site/:id/certificate']);
  });

  it('data-limits.md deactivates a SIM over its limit, and has it active again', async () => {
    const traffic = { uplinkBytes: 400 * 1_048_576, downlinkBytes: 200 * 1_048_576 };
    await simulator.patch({ sims: { [BUS]: { traffic } } });
    await follow('docs/data-limits.md');
    expect((await writes()).slice(-2)).toEqual([
      'PUT /commonserviceitem/:id/sim/deactivate',
      'PUT /commonserviceitem/:id/sim/activate',
    ]);
  });

  it('troubleshooting.md', async () => {
    await simulator.patch({ sims: { [BUS]: { activated: false } } });
    await eventually(async () => expect(await writes()).toContain('PUT /commonserviceitem/:id/sim/activate'));
    await follow('docs/troubleshooting.md');
  });

  it('cost.md only looks', async () => {
    const before = await writes();
    await follow('docs/cost.md');
    expect(await writes()).toEqual(before);
  });

  it('upgrade.md writes nothing at the service', async () => {
    const before = await writes();
    await follow('docs/upgrade.md', { in: packageRoot() });
    expect(await writes()).toEqual(before);
  });

  it('a gateway whose ID is in Git is found again, as upgrade.md says, and not made twice', async () => {
    const terminal = await open();
    const manifest = (rest: string) =>
      `kubectl apply -f - <<'EOF'\n{"apiVersion": "edgeline.dev/v1alpha1", "kind": "MobileGateway", "metadata": {"name": "north"}, "spec": {"zone": "is1a", "planID": 2${rest}}}\nEOF\nkubectl wait mgw/north --for=condition=Ready`;
    await terminal.paste(manifest(''));
    const { output: id } = await terminal.paste("kubectl get mgw north -o jsonpath='{.status.id}'");
    await terminal.paste('kubectl annotate mgw north edgeline.dev/abandon=true\nsleep 1\nkubectl delete mgw north');
    const { output } = await terminal.paste(
      `${manifest(`, "resourceID": "${id}"`)}\nkubectl get mgw north -o jsonpath='{.status.ownership}'`,
    );
    expect(output).toBe(
      'mobilegateway.edgeline.dev/north created\nmobilegateway.edgeline.dev/north condition met\nAdopted',
    );
    expect(await gateways()).toEqual(['old depot', 'coast', 'north']);
  });

  it('uninstall.md leaves nothing in the cluster and everything at the service', async () => {
    const before = [await gateways(), await iccids()];
    const terminal = await follow('docs/uninstall.md');
    expect((await terminal.paste('kubectl get edgeline -A')).output).toBe('No resources found\n');
    expect([await gateways(), await iccids()]).toEqual(before);
  });

  it('name nothing as run elsewhere that is not there', () => {
    expect([...unrun]).toEqual([]);
  });
});
