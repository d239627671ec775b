import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { convert } from '../../../src/import/terraform/convert.ts';
import { renderManifests, renderSecrets } from '../../../src/import/terraform/render.ts';
import { readState } from '../../../src/import/terraform/state.ts';
import { gatewayResource } from '../../../src/kinds/mobile-gateway/schema.ts';
import { simResource } from '../../../src/kinds/sim/schema.ts';
import { certificateResource } from '../../../src/kinds/site-certificate/schema.ts';
import { siteResource } from '../../../src/kinds/web-accel-site/schema.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { runKubectl } from '../../../src/sandbox/control-plane/kubectl.ts';
import { createIntermediate, createRoot, issue } from '../../support/certificates.ts';
import { adminKubeconfig } from '../../support/control-plane.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { program } from '../../support/program.ts';
import { fleetDomains, type TerraformFleet, terraformFleet } from '../../support/terraform/fleet.ts';
import { siteCertificate, stateOf } from '../../support/terraform/states.ts';
import { createWorld, type Seen, type World } from '../../support/world.ts';

const SIMS = 160;
const SITES = 14;
const CERTIFICATES = 10;
const kinds = {
  MobileGateway: gatewayResource,
  Sim: simResource,
  WebAccelSite: siteResource,
  SiteCertificate: certificateResource,
};

const directory = mkdtempSync(join(tmpdir(), 'import-'));
let operator: Operator;
let fleet: TerraformFleet;
beforeAll(async () => {
  operator = await startTestOperator();
  const issuer = await createIntermediate(await createRoot());
  const certificates = await Promise.all(fleetDomains(CERTIFICATES).map((domain) => issue(issuer, [domain])));
  fleet = terraformFleet({ sims: SIMS, sites: SITES, certificates });
});
afterAll(async () => {
  await operator.stop();
  rmSync(directory, { recursive: true });
});

/** What the command writes: manifests, Secrets, and what it tells. */
function imported(...options: readonly string[]): {
  code: number | null;
  manifests: string;
  secrets: string;
  told: string;
} {
  const secretsFile = join(directory, 'secrets.yaml');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program(), 'import', 'terraform', '-', '--secrets', secretsFile, '--force', ...options],
    { input: JSON.stringify(fleet.state), encoding: 'utf8' },
  );
  return { code: status, manifests: stdout, secrets: readFileSync(secretsFile, 'utf8'), told: stderr };
}

async function listed(world: World): Promise<Seen[]> {
  const lists = Object.values(kinds).map((kind) => world.client.list<Seen>(kind, world.namespace));
  return (await Promise.all(lists)).flatMap(({ items }) => items);
}

/** Resolves when every resource is Ready and Synced for the spec as it is. */
function allReady(world: World): Promise<Seen[]> {
  return eventually(
    async () => {
      const all = await listed(world);
      const holds = ({ status, metadata }: Seen, type: string) =>
        status?.conditions?.some(
          (one) => one.type === type && one.status === 'True' && one.observedGeneration === metadata.generation,
        );
      const waiting = all.filter((one) => !holds(one, 'Ready') || (one.kind === 'Sim' && !holds(one, 'Synced')));
      if (waiting.length === 0) return all;
      const [first] = waiting;
      throw new Error(
        `${waiting.length} wait, such as ${first?.kind} ${first?.metadata.name}: ${JSON.stringify(first?.status?.conditions)}`,
      );
    },
    { timeoutSeconds: 120 },
  );
}

describe('the apiserver accepts', () => {
  it.each(['2.8', '2.29', '2.36'])('what becomes of the state of release %s, and its Secrets', async (release) => {
    const state = readState(stateOf(release, await siteCertificate()));
    const { manifests, secrets } = convert(state, {
      accountOf: () => ({ kind: 'ClusterCloudAccount', name: 'main' }),
      observe: false,
      dialect: 'Extended',
      sendUnseen: true,
    });
    const options = { from: 'state', namespace: 'default' };
    const { code, stderr } = await runKubectl(
      { kubectl: inject('kubectl'), kubeconfig: adminKubeconfig() },
      ['apply', '--dry-run=server', '--validate=strict', '-f', '-'],
      { input: renderManifests(manifests, options) + renderSecrets(secrets, options) },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('a fleet of Terraform', { timeout: 300_000 }, () => {
  it.each(['Documented', 'Extended'] as const)('is taken over without a write at the service (%s)', async (dialect) => {
    const world = await createWorld({ dialect, seed: fleet.seed, prefix: 'import' });
    await world.ready('CloudAccount', 'default');
    const before = await world.simulator.state();
    const { code, manifests, secrets, told } = imported('--dialect', dialect);
    expect(fleet.resources).toBeGreaterThanOrEqual(190);
    // Only resolvers and IMEIs are left out, where they do not show.
    expect({ code, told }).toEqual({
      code: dialect === 'Extended' ? 0 : 3,
      told: expect.stringContaining(
        `MobileGateway 3, Sim ${SIMS}, WebAccelSite ${SITES}, SiteCertificate ${CERTIFICATES}`,
      ),
    });
    await world.apply(secrets);
    await world.apply(manifests);
    const all = await allReady(world);
    await world.settle();
    expect(all).toHaveLength(3 + SIMS + SITES + CERTIFICATES);
    expect(all.filter(({ status }) => status?.['drift'] !== undefined || status?.['ownership'] === 'Created')).toEqual(
      [],
    );
    expect(await world.writes()).toEqual([]);
    const { sims, gateways, sites } = await world.simulator.state();
    expect({ sims, gateways, sites }).toEqual({ sims: before.sims, gateways: before.gateways, sites: before.sites });
    await world.stop();
  });

  it('with --observe shows where the state does not tell how things are, and writes nothing', async () => {
    const world = await createWorld({ seed: fleet.seed, prefix: 'import' });
    await world.ready('CloudAccount', 'default');
    const [first] = fleet.seed.sims ?? [];
    // By hand, after Terraform wrote its state: it never reads whether a SIM is active.
    await world.simulator.patch({ sims: { [first?.iccid ?? '']: { activated: false } } });
    await world.apply(imported('--observe').manifests);
    const drift = await eventually(async () => {
      const { status } = await world.get('Sim', 'truck-key-0');
      expect(status?.['drift']).toBeDefined();
      return status?.['drift'];
    });
    expect(drift).toEqual([{ field: 'activated', desired: 'true', observed: 'false' }]);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });
});
