import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../src/operator/start.ts';
import { freePort } from '../../src/sandbox/processes/free-port.ts';
import { eventually } from '../support/kubernetes.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, type World } from '../support/world.ts';
import { GATEWAY_ID, gateway, ICCID, SIM_ID, seededGateway, sim } from './gateway/support.ts';
import { SITE_ID, seededSite, site } from './site/support.ts';

/** Lists are told as the truth for ten seconds at least, and the machine may be busy. */
const PATIENCE = { timeoutSeconds: 45 };
const LIMIT_MILLISECONDS = 120_000;

/** The samples of an operator whose line has this, as `name{labels} value`. */
async function samplesAt(port: number, having: string): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return text.split('\n').filter((line) => !line.startsWith('#') && line.includes(having));
}

/** Without what the sample's namespace is called, and with its value as a number. */
function told(lines: readonly string[], namespace: string): Record<string, number> {
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space).replaceAll(namespace, 'NS'), Number(line.slice(space + 1))];
    }),
  );
}

/** A fleet of one of each, all taken over as they are. */
async function smallFleet(): Promise<World> {
  const world = await createWorld({
    prefix: 'fleet',
    settings: { webAccelLimit: 100_000 },
    seed: {
      gateways: [
        {
          ...seededGateway,
          instanceStatus: 'up',
          trafficMonitoring: { quotaMB: 500, autoTrafficShaping: false, email: false },
        },
      ],
      sims: [
        { id: SIM_ID, iccid: ICCID, name: 'truck', gateway: seededGateway.name, activated: true, ip: '10.0.0.17' },
        { iccid: '8981040000000000099', name: 'nobody’s' },
      ],
      sites: [seededSite],
    },
  });
  await world.apply(gateway({ resourceID: GATEWAY_ID }));
  await world.apply(sim({}));
  await world.apply(site({ siteID: SITE_ID }));
  await world.ready('MobileGateway', 'depot');
  await world.ready('Sim', 'truck-17');
  await world.ready('WebAccelSite', 'www');
  return world;
}

describe('what /metrics tells of a fleet', () => {
  let operator: Operator;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    operator = await startTestOperator({ metricsListen: `127.0.0.1:${port}`, resourceMetrics: 'names' });
  });
  afterAll(() => operator.stop());

  const ofFleet = async ({ namespace }: World, prefix: string) => {
    const lines = (await samplesAt(port, namespace)).filter((line) => line.startsWith(prefix));
    return told(lines, namespace);
  };

  it(
    'each account’s resources together, and each by its name; what nobody wrote down is not in it',
    async () => {
      const world = await smallFleet();
      const account = '{account="CloudAccount/NS/default"}';
      await eventually(
        async () =>
          expect(await ofFleet(world, 'edgeline_account')).toEqual({
            [`edgeline_account_sims${account}`]: 1,
            [`edgeline_account_sims_session_up${account}`]: 1,
            [`edgeline_account_sims_activated${account}`]: 1,
            [`edgeline_account_sims_imei_mismatch${account}`]: 0,
            [`edgeline_account_sims_month_uplink_bytes${account}`]: expect.any(Number),
            [`edgeline_account_sims_month_downlink_bytes${account}`]: expect.any(Number),
            [`edgeline_account_gateways${account}`]: 1,
            [`edgeline_account_gateways_up${account}`]: 1,
            [`edgeline_account_gateways_registered_sims${account}`]: 1,
            [`edgeline_account_gateways_month_uplink_bytes${account}`]: expect.any(Number),
            [`edgeline_account_gateways_month_downlink_bytes${account}`]: expect.any(Number),
            [`edgeline_account_gateways_shaping${account}`]: 0,
            [`edgeline_account_gateways_month_quota_ratio${account}`]: expect.any(Number),
            [`edgeline_account_sites${account}`]: 1,
            [`edgeline_account_sites_enabled${account}`]: 1,
            [`edgeline_account_sites_month_accesses${account}`]: expect.any(Number),
            [`edgeline_account_sites_month_sent_bytes${account}`]: expect.any(Number),
            [`edgeline_account_sites_month_cache_miss_sent_bytes${account}`]: expect.any(Number),
            [`edgeline_account_sites_month_price${account}`]: expect.any(Number),
          }),
        PATIENCE,
      );
      const truck = '{namespace="NS",name="truck-17"}';
      expect(await ofFleet(world, 'edgeline_sim')).toEqual({
        'edgeline_sim_info{namespace="NS",name="truck-17",account="CloudAccount/NS/default"}': 1,
        [`edgeline_sim_session_up${truck}`]: 1,
        [`edgeline_sim_activated${truck}`]: 1,
        [`edgeline_sim_imei_mismatch${truck}`]: 0,
        [`edgeline_sim_month_uplink_bytes${truck}`]: expect.any(Number),
        [`edgeline_sim_month_downlink_bytes${truck}`]: expect.any(Number),
      });
      expect(Object.keys(await ofFleet(world, 'edgeline_gateway'))).toHaveLength(6);
      expect(Object.keys(await ofFleet(world, 'edgeline_site_'))).toHaveLength(6);
      const polled = await ofFleet(world, 'edgeline_poll_items');
      expect(polled).toEqual({
        'edgeline_poll_items{account="CloudAccount/NS/default",list="sims"}': 2,
        'edgeline_poll_items{account="CloudAccount/NS/default",list="gateways",zone="is1b"}': 1,
        'edgeline_poll_items{account="CloudAccount/NS/default",list="sites"}': 1,
        'edgeline_poll_items{account="CloudAccount/NS/default",list="usage"}': 1,
      });
      await world.stop();
    },
    LIMIT_MILLISECONDS,
  );

  it(
    'traffic as it moves, while not one status is written for it',
    async () => {
      const world = await smallFleet();
      const bytes = async () => {
        const all = await ofFleet(world, 'edgeline_sim_month_downlink_bytes');
        return Object.values(all)[0] ?? Number.NaN;
      };
      await eventually(async () => expect(await bytes()).toBeGreaterThan(0), PATIENCE);
      await world.settle();
      const versions = async () =>
        await Promise.all(
          (['Sim/truck-17', 'MobileGateway/depot', 'WebAccelSite/www'] as const).map(async (one) => {
            const [kind = '', name = ''] = one.split('/');
            return (await world.get(kind, name)).metadata.resourceVersion;
          }),
        );
      const [before, first] = [await versions(), await bytes()];
      // An hour, of which each kilobyte counts.
      await world.simulator.advance(3600);
      await eventually(async () => expect(await bytes()).toBeGreaterThan(first + 100_000), PATIENCE);
      await world.settle();
      expect(await versions()).toEqual(before);
      await world.stop();
    },
    LIMIT_MILLISECONDS,
  );

  it(
    'the rates of SIMs with a session, where they are asked for',
    async () => {
      const own = await freePort();
      const world = await smallFleet();
      const rates = async (at: number) => {
        const lines = (await samplesAt(at, world.namespace)).filter((line) => line.includes('bytes_per_second'));
        return told(lines, world.namespace);
      };
      const asked = async () => (await world.requests()).filter(({ route }) => route.includes('/sim/metrics')).length;
      await world.settle();
      expect([await rates(port), await asked()]).toEqual([{}, 0]);
      await operator.stop();
      const rated = { metricsListen: `127.0.0.1:${own}`, resourceMetrics: 'names', simRates: true } as const;
      const other = await startTestOperator(rated);
      await eventually(
        async () =>
          expect(await rates(own)).toEqual({
            'edgeline_sim_uplink_bytes_per_second{namespace="NS",name="truck-17"}': expect.any(Number),
            'edgeline_sim_downlink_bytes_per_second{namespace="NS",name="truck-17"}': expect.any(Number),
          }),
        PATIENCE,
      );
      await world.settle();
      expect(await asked()).toBe(1);
      await other.stop();
      operator = await startTestOperator({ metricsListen: `127.0.0.1:${port}`, resourceMetrics: 'names' });
      await world.stop();
    },
    LIMIT_MILLISECONDS,
  );

  it(
    'nothing that a list last showed too long ago, and that the poll fails; what other lists show stays',
    async () => {
      const world = await smallFleet();
      await eventually(async () => expect(await ofFleet(world, 'edgeline_account_sims{')).not.toEqual({}), PATIENCE);
      const { id } = await world.simulator.fault({ route: 'GET /commonserviceitem', code: 503 });
      await eventually(async () => {
        expect(await ofFleet(world, 'edgeline_account_sims')).toEqual({});
        expect(await ofFleet(world, 'edgeline_sim')).toEqual({});
      }, PATIENCE);
      const failed = await ofFleet(world, 'edgeline_poll_failed');
      expect(failed['edgeline_poll_failed{account="CloudAccount/NS/default",list="sims"}']).toBe(1);
      expect(await ofFleet(world, 'edgeline_account_sites{')).not.toEqual({});
      await world.simulator.removeFault(id);
      await eventually(async () => expect(await ofFleet(world, 'edgeline_account_sims{')).not.toEqual({}), PATIENCE);

      await world.delete('Sim', 'truck-17');
      await world.delete('MobileGateway', 'depot');
      await world.delete('WebAccelSite', 'www');
      await world.delete('CloudAccount', 'default');
      await world.gone('CloudAccount', 'default');
      await eventually(async () =>
        expect(await samplesAt(port, `account="CloudAccount/${world.namespace}`)).toEqual([]),
      );
      await world.stop();
    },
    LIMIT_MILLISECONDS,
  );

  it(
    'by no other than the pod that leads',
    async () => {
      const ports = [await freePort(), await freePort()];
      const pods: Operator[] = [];
      await operator.stop();
      for (const one of ports) {
        const options = { metricsListen: `127.0.0.1:${one}`, leaderElect: true, leaseNamespace: 'default' };
        pods.push(await startTestOperator({ ...options, identity: `pod-${one}` }));
      }
      const world = await smallFleet();
      const shown = async (at: number) => [
        ...(await samplesAt(at, 'edgeline_account_')),
        ...(await samplesAt(at, 'edgeline_poll_')),
        ...(await samplesAt(at, 'edgeline_resource_condition{')),
      ];
      const [leader = 0, standby = 0] = ports;
      await eventually(async () => {
        expect(await samplesAt(leader, 'leader_election')).toEqual([
          'leader_election_master_status{name="edgeline-operator"} 1',
        ]);
        expect(await samplesAt(leader, 'edgeline_account_sims{')).toHaveLength(1);
      }, PATIENCE);
      expect(await samplesAt(standby, 'leader_election')).toEqual([
        'leader_election_master_status{name="edgeline-operator"} 0',
      ]);
      expect(await shown(standby)).toEqual([]);
      for (const pod of pods) await pod.stop();
      operator = await startTestOperator({ metricsListen: `127.0.0.1:${port}`, resourceMetrics: 'names' });
      await world.stop();
    },
    LIMIT_MILLISECONDS,
  );
});
