import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { createChance } from '../../support/hostile/random.ts';
import { hostileTarget, runHostileRequests } from '../../support/hostile/run.ts';
import { hostileSeed } from '../../support/hostile/templates.ts';
import { type SimulatorState, simulatorClient } from '../../support/simulator-client.ts';
import { type SpawnedSimulator, spawnSimulator } from '../../support/simulator-process.ts';

const kills = 30;
const workers = 12;
const gatewayID = '113300000201';

/** What the service has said of a SIM; null when it said that it is gone. */
type Known = { readonly name: string; readonly activated: boolean; readonly gatewayID: string | null } | null;

interface Ledger {
  /** By ICCID: what was acknowledged last. */
  readonly acknowledged: Map<string, { readonly id: string; readonly known: Known }>;
  /** By ICCID: what a request that was never answered would have made of it. */
  readonly unanswered: Map<string, Known>;
  /** Whose an ID is that was ever shown. */
  readonly idsGiven: Map<string, string>;
}

/** Makes, changes and removes SIMs until nobody answers any more. */
async function work(simulator: SpawnedSimulator, ledger: Ledger, iccids: () => string) {
  const dispatcher = new Agent({ connect: { ca: simulator.ca }, connections: 1 });
  const authorization = `Basic ${Buffer.from('simulator:simulator-secret').toString('base64')}`;
  const prefix = `${simulator.baseURL}/cloud/zone/is1a/api/cloud/1.1`;

  /** Asks, and notes what would become of the SIM for as long as there is no answer. */
  async function ask(iccid: string, would: Known, method: string, path: string, body?: object): Promise<string> {
    ledger.unanswered.set(iccid, would);
    const answer = await request(`${prefix}${path}`, {
      dispatcher,
      method,
      headers: { authorization },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    const id = ledger.acknowledged.get(iccid)?.id ?? String(JSON.parse(text).CommonServiceItem.ID);
    ledger.acknowledged.set(iccid, { id, known: would });
    ledger.unanswered.delete(iccid);
    return id;
  }

  try {
    for (;;) {
      const iccid = iccids();
      const made = { name: 'made', activated: false, gatewayID: null };
      const item = { Name: 'made', Status: { ICCID: iccid }, Remark: { PassCode: 'c' }, Provider: { Class: 'sim' } };
      const id = await ask(iccid, made, 'POST', '/commonserviceitem', { CommonServiceItem: item });
      const path = `/commonserviceitem/${id}`;
      await ask(iccid, { ...made, activated: true }, 'PUT', `${path}/sim/activate`);
      const registered = { ...made, activated: true, gatewayID };
      await ask(iccid, registered, 'POST', `/appliance/${gatewayID}/mobilegateway/sims`, { sim: { resource_id: id } });
      const renamed = { ...registered, name: 'renamed' };
      await ask(iccid, renamed, 'PUT', path, { CommonServiceItem: { Name: 'renamed' } });
      if (Number(iccid) % 3 !== 0) continue;
      await ask(iccid, { ...renamed, gatewayID: null }, 'DELETE', `/appliance/${gatewayID}/mobilegateway/sims/${id}`);
      await ask(iccid, { ...renamed, gatewayID: null, activated: false }, 'PUT', `${path}/sim/deactivate`);
      await ask(iccid, null, 'DELETE', path);
    }
  } catch (error) {
    if (error instanceof Error && / \d{3} /.test(error.message)) throw error;
  } finally {
    await dispatcher.destroy();
  }
}

/** What the state says otherwise than was acknowledged, and IDs that became another SIM's. */
function losses(state: SimulatorState, ledger: Ledger): string[] {
  const found = new Map(Object.entries(state.sims).map(([id, sim]) => [String(sim?.['iccid']), { id, sim }]));
  const wrong: string[] = [];
  for (const iccid of new Set([...ledger.acknowledged.keys(), ...ledger.unanswered.keys(), ...found.keys()])) {
    const there = found.get(iccid);
    const actual: Known = there?.sim
      ? {
          name: String(there.sim['name']),
          activated: there.sim['activated'] === true,
          gatewayID: there.sim['gatewayID'] === gatewayID ? gatewayID : null,
        }
      : null;
    const before = ledger.acknowledged.get(iccid);
    const may = [before?.known ?? null, ...(ledger.unanswered.has(iccid) ? [ledger.unanswered.get(iccid)] : [])];
    if (!may.some((one) => JSON.stringify(one) === JSON.stringify(actual))) {
      wrong.push(`${iccid}: ${JSON.stringify(actual)}, not ${JSON.stringify(may)}`);
    }
    const id = there?.id ?? before?.id;
    if (id === undefined) continue;
    const owner = ledger.idsGiven.get(id);
    if (owner !== undefined && owner !== iccid) wrong.push(`${id} was ${owner}'s and is ${iccid}'s`);
    ledger.idsGiven.set(id, iccid);
    ledger.acknowledged.set(iccid, { id, known: actual });
  }
  ledger.unanswered.clear();
  return wrong;
}

describe('a simulator that is killed', () => {
  it(`has lost nothing it acknowledged and gives no ID twice, after each of ${kills} SIGKILLs under load`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
    const flags = [`--state=${join(folder, 'state.json')}`, `--seed-file=${join(folder, 'seed.json')}`];
    await writeFile(
      join(folder, 'seed.json'),
      JSON.stringify({ gateways: [{ id: gatewayID, name: 'g', zone: 'is1a' }] }),
    );
    const ledger: Ledger = { acknowledged: new Map(), unanswered: new Map(), idsGiven: new Map() };
    const chance = createChance(1);
    let last = 0;
    let offset = 0;
    const wrong: string[] = [];
    for (let kill = 0; kill <= kills; kill++) {
      const simulator = await spawnSimulator(flags);
      const control = simulatorClient(simulator.control);
      wrong.push(...losses(await control.state(), ledger));
      if ((await control.clock()).offsetSeconds !== offset) wrong.push(`the clock was ${offset} ahead`);
      if ((await control.settings()).webAccelLimit !== 500 + kill) wrong.push('a setting is not what it was');
      if (kill < kills) {
        await control.changeSettings({ webAccelLimit: 500 + kill + 1 });
        await control.advance(60);
        offset += 60;
        const loads = Array.from({ length: workers }, () =>
          work(simulator, ledger, () => String(89_810_000_000 + ++last)),
        );
        await setTimeout(50 + chance.below(400));
        while (ledger.acknowledged.size <= (kill + 1) * 10) await setTimeout(10);
        await simulator.stop('SIGKILL');
        await Promise.all(loads);
      } else await simulator.stop();
    }
    expect(wrong).toEqual([]);
  }, 600_000);

  it('comes back with every object as it was, whatever was done to it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
    const seedFile = join(folder, 'seed.json');
    await writeFile(seedFile, JSON.stringify(hostileSeed));
    const more = [`--state=${join(folder, 'state.json')}`, '--migrating-time=0'];
    const stateOf = async (simulator: SpawnedSimulator) => {
      const { now: _, ...state } = await simulatorClient(simulator.control).state();
      return state;
    };
    let before: object | undefined;
    const report = await runHostileRequests({
      requests: 3_000,
      seed: 7,
      lanes: 4,
      patience: 60_000,
      seedFile,
      more,
      resetEvery: 1_000,
      async afterwards(simulator) {
        before = await stateOf(simulator);
        await simulator.stop('SIGKILL');
      },
    });
    const simulator = await hostileTarget(seedFile, more);
    const after = await stateOf(simulator);
    await simulator.stop();
    expect([report.violations, after]).toEqual([[], before]);
  }, 300_000);
});
