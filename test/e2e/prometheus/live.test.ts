import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertRules } from '../../../scripts/alerts-doc.ts';
import { dashboards } from '../../../scripts/dashboards/files.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { freePort } from '../../../src/sandbox/processes/free-port.ts';
import { GATEWAY_ID, gateway, ICCID, SIM_ID, seededGateway, sim } from '../../integration/gateway/support.ts';
import { SITE_ID, seededSite, site } from '../../integration/site/support.ts';
import { ensurePrometheus } from '../../support/go-tools.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';
import { type PrometheusServer, startPrometheus } from './server.ts';

const PATIENCE = { timeoutSeconds: 60 };
const LIMIT_MILLISECONDS = 180_000;

/** The rules, but that none of them waits or looks back for long: how long each does is tested with promtool. */
const impatient = alertRules().map((rule) => ({ ...rule, for: '0s', expr: rule.expr.replaceAll('[10m]', '[30s]') }));

/** Panels that have nothing to show of this fleet, because what they show did not happen. */
const empty = new Set([
  'Why resources are not Ready',
  'Why resources are not in sync',
  'Writes by cause',
  'Drift found',
  'Waiting for their turn',
  'Answers: throttled',
  'Certificates from cluster to site',
  'Certificates by expiry',
  'Next certificate expires',
  'Active SIMs without a session',
]);

describe('a Prometheus that scrapes the operator', () => {
  let operator: Operator;
  let prometheus: PrometheusServer;
  let world: World;
  let port: number;
  beforeAll(async () => {
    await ensurePrometheus();
    port = await freePort();
    world = await createWorld({
      prefix: 'watched',
      settings: { webAccelLimit: 100_000 },
      seed: {
        gateways: [
          {
            ...seededGateway,
            instanceStatus: 'up',
            trafficMonitoring: { quotaMB: 1, autoTrafficShaping: true, bandwidthLimitKbps: 64, email: false },
          },
        ],
        sims: [
          { id: SIM_ID, iccid: ICCID, name: 'truck', gateway: seededGateway.name, activated: true, ip: '10.0.0.17' },
        ],
        sites: [seededSite],
      },
    });
    // What other tests have left in the cluster is no trouble of this one's.
    operator = await startTestOperator({
      namespaces: [world.namespace],
      metricsListen: `127.0.0.1:${port}`,
      resourceMetrics: 'names',
      simRates: true,
      leaderElect: true,
      leaseNamespace: 'default',
    });
    prometheus = await startPrometheus([port], impatient);
    await world.apply(sim({}));
    await world.apply(site({ siteID: SITE_ID }));
    await world.ready('Sim', 'truck-17');
    await world.ready('WebAccelSite', 'www');
  }, 1_200_000);
  afterAll(async () => {
    await prometheus.stop();
    await operator.stop();
    await world.stop();
  });

  /** Resolves, with whether it does, when an alert fires, or does not any more. */
  async function fires(alert: string, should = true): Promise<boolean> {
    await eventually(async () => {
      if ((await prometheus.firing()).includes(alert) !== should)
        throw new Error(`${alert} is to ${should ? 'fire' : 'be silent'}`);
    }, PATIENCE);
    return should;
  }

  it(
    'is told of no trouble while there is none',
    async () => {
      await eventually(
        async () => expect(await prometheus.query('edgeline_account_sims_session_up == 1')).toHaveLength(1),
        PATIENCE,
      );
      await eventually(async () => expect(await prometheus.firing()).toEqual([]), PATIENCE);
    },
    LIMIT_MILLISECONDS,
  );

  it(
    'is asked by every panel of the dashboards what it can answer',
    async () => {
      // So long ago that the gateway has had traffic.
      await world.simulator.advance(7200);
      await world.apply(gateway({ resourceID: GATEWAY_ID }));
      await world.ready('MobileGateway', 'depot');
      for (const late of ['edgeline_gateway_month_quota_ratio', 'edgeline_sim_uplink_bytes_per_second']) {
        await eventually(async () => expect(await prometheus.query(late)).toHaveLength(1), PATIENCE);
      }
      for (const { rows, title: dashboard } of dashboards) {
        for (const { title, queries } of rows.flatMap((row) => row.panels)) {
          for (const { expr, legend = '' } of queries) {
            const asked = expr
              .replaceAll('$account', '.*')
              .replaceAll('$namespace', world.namespace)
              .replaceAll('$sim', 'truck-17')
              .replaceAll('$__rate_interval', '10s')
              .replaceAll('[15m]', '[10s]')
              .replaceAll('[1h]', '[10s]');
            expect(asked).not.toContain('$');
            const found = await prometheus.query(asked);
            if (empty.has(title) || legend.endsWith('throttled')) continue;
            expect(found.length, `${dashboard}, ${title}: ${asked}`).toBeGreaterThan(0);
          }
        }
      }
    },
    LIMIT_MILLISECONDS,
  );

  const account = () => `CloudAccount/${world.namespace}/default`;

  it(
    'fires for a gateway near its quota, and that slows its SIMs down',
    async () => {
      expect(await fires('EdgelineTrafficNearQuota')).toBe(true);
      expect(await fires('EdgelineTrafficShaped')).toBe(true);
      const [fired] = await prometheus.firingAs('EdgelineTrafficNearQuota');
      expect(fired).toMatchObject({ account: account(), severity: 'warning' });
    },
    LIMIT_MILLISECONDS,
  );

  it(
    'fires for a gateway that somebody stops, and falls silent when it runs again',
    async () => {
      await world.simulator.patch({ gateways: { [GATEWAY_ID]: { instanceStatus: 'down' } } });
      expect(await fires('EdgelineGatewayDown')).toBe(true);
      await world.simulator.patch({ gateways: { [GATEWAY_ID]: { instanceStatus: 'up' } } });
      expect(await fires('EdgelineGatewayDown', false)).toBe(false);
    },
    LIMIT_MILLISECONDS,
  );

  it(
    'fires for a SIM that cannot be what its spec says',
    async () => {
      await world.apply(
        sim({ passCodeSecretRef: { name: 'pass-codes', key: 'none' } }, 'nobody', '8981040000000000555'),
      );
      await world.apply(sim({}, 'rival'));
      expect(await fires('EdgelineStalled')).toBe(true);
      await world.delete('Sim', 'nobody');
      await world.delete('Sim', 'rival');
      expect(await fires('EdgelineStalled', false)).toBe(false);
    },
    LIMIT_MILLISECONDS,
  );

  it(
    'fires for a service that has too much to do, for one that fails, and for a list that is too old',
    async () => {
      const { id } = await world.simulator.fault({ route: 'GET /commonserviceitem', code: 429 });
      expect(await fires('EdgelineSlowedDown')).toBe(true);
      await world.simulator.removeFault(id);
      const other = await world.simulator.fault({ route: 'GET /commonserviceitem', code: 503 });
      expect(await fires('EdgelineServiceFails')).toBe(true);
      await eventually(async () => expect(await prometheus.firing()).toContain('EdgelinePollStale'), {
        timeoutSeconds: 120,
      });
      expect(await prometheus.query('edgeline_account_sims')).toEqual([]);
      await world.simulator.removeFault(other.id);
      expect(await fires('EdgelinePollStale', false)).toBe(false);
    },
    LIMIT_MILLISECONDS,
  );

  it(
    'fires for credentials that the service refuses',
    async () => {
      await world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: 'wrong' } });
      expect(await fires('EdgelineCredentialsRejected')).toBe(true);
      expect(await prometheus.firingAs('EdgelineCredentialsRejected')).toEqual(
        expect.arrayContaining([expect.objectContaining({ account: account(), severity: 'critical' })]),
      );
      await world.makeAccount();
      expect(await fires('EdgelineCredentialsRejected', false)).toBe(false);
    },
    LIMIT_MILLISECONDS,
  );

  it(
    'fires for pods of which none leads, and when there is none',
    async () => {
      await operator.stop();
      expect(await fires('EdgelineDown')).toBe(true);
      expect(await prometheus.query('edgeline_account_sims')).toEqual([]);
      const lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'edgeline-operator', namespace: world.namespace },
        spec: {
          holderIdentity: 'somebody',
          leaseDurationSeconds: 3600,
          renewTime: new Date().toISOString().replace('Z', '000Z'),
        },
      };
      await world.client.create(
        { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true },
        world.namespace,
        lease,
      );
      const options = { metricsListen: `127.0.0.1:${port}`, leaderElect: true, leaseNamespace: world.namespace };
      operator = await startTestOperator(options);
      expect(await fires('EdgelineNoLeader')).toBe(true);
      expect(await fires('EdgelineDown', false)).toBe(false);
    },
    LIMIT_MILLISECONDS,
  );
});
