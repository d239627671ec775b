import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseApiPath } from '../../../src/cli/ask/api/path.ts';
import { type ApiOptions, requestApi } from '../../../src/cli/ask/api/run.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

const SIM = '113300000017';
const FOREIGN_SIM = '113300000018';
const SITE = '113300000201';
const ICCID = '8981040000000000017';
const IMEI = '123456789012345';
const SIM_PATH = `/commonserviceitem/${SIM}`;

let world: World;
let operator: Operator;
beforeAll(async () => {
  world = await createWorld({
    prefix: 'api',
    seed: {
      sims: [
        { id: SIM, name: 'truck-17', iccid: ICCID, activated: true },
        { id: FOREIGN_SIM, name: 'by hand', iccid: '8981040000000000018', activated: true },
      ],
      sites: [{ id: SITE, name: 'www', domain: 'www.example.jp', accessControl: ['allow all'] }],
    },
    settings: { webAccelLimit: 100_000 },
  });
  operator = await startTestOperator({ namespaces: [world.namespace] });
  const head = { apiVersion: 'edgeline.dev/v1alpha1' };
  const spec = { iccid: ICCID, resourceID: SIM, activated: true };
  await world.apply({ ...head, kind: 'Sim', metadata: { name: 'truck-17' }, spec });
  const site = { siteID: SITE, managementPolicy: 'Observe', accessControl: ['deny 192.0.2.0/24'] };
  await world.apply({ ...head, kind: 'WebAccelSite', metadata: { name: 'www' }, spec: site });
  await world.ready('Sim', 'truck-17');
  await world.ready('WebAccelSite', 'www');
});
afterAll(async () => {
  await operator.stop();
  await world.stop();
});
beforeEach(() => world.forget());

async function api(
  method: ApiOptions['method'],
  path: string,
  options: Partial<ApiOptions> = {},
  as?: string,
): Promise<{ answer: Record<string, unknown>; told: string }> {
  const surroundings = capture();
  const kubeconfig = kubeconfigWith({ namespace: world.namespace, ...(as !== undefined && { as }) });
  const flags = { body: undefined, write: false, force: false, showSecrets: false, output: 'json' } as const;
  const request = { ...flags, ...options, kubeconfig, method, path: parseApiPath(path, undefined) };
  await requestApi(request, surroundings);
  return { answer: JSON.parse(surroundings.said()), told: surroundings.complained() };
}

const writes = async () => (await world.writes()).map((write) => write.split(' {')[0]);

it('a GET goes at once, and its answer is printed as it came', async () => {
  expect(await api('GET', `${SIM_PATH}/sim/status`)).toEqual({
    answer: { is_ok: true, sim: expect.objectContaining({ iccid: ICCID, resource_id: SIM, activated: true }) },
    told: '',
  });
  const { answer } = await api('GET', '/commonserviceitem?{"Filter":{"Provider.Class":"sim"},"Count":1}');
  expect(answer).toMatchObject({ Count: 1, Total: 2 });
});

it('a request of web acceleration is one that the operator counts', async () => {
  const used = () => world.get('CloudAccount', 'default').then(({ status }) => status?.['allotments'] ?? []);
  expect((await api('GET', `/site/${SITE}/acl`)).answer).toEqual({ is_ok: true, ACL: 'allow all' });
  expect(await used()).toEqual([]);
});

it('what is no GET is shown, and sent only with --write', async () => {
  const body = { sim: { imei: IMEI } };
  const path = `/commonserviceitem/${FOREIGN_SIM}/sim/imeilock`;
  await expect(api('PUT', path, { body })).rejects.toThrow('nothing was sent');
  expect(await writes()).toEqual([]);
  expect(await api('PUT', path, { body, write: true })).toEqual({
    answer: { is_ok: true },
    told: `PUT /cloud/zone/is1a/api/cloud/1.1${path} through CloudAccount/default\n${JSON.stringify(body, null, 2)}\n`,
  });
  expect(await writes()).toEqual(['PUT /commonserviceitem/:id/sim/imeilock']);
});

it('what the operator would undo is refused unless it is forced; what a spec leaves open is not', async () => {
  const name = `the Sim ${world.namespace}/truck-17`;
  await expect(api('PUT', `${SIM_PATH}/sim/deactivate`, { write: true })).rejects.toThrow(
    `${name} has activated in its spec, so the operator would undo this`,
  );
  await expect(api('DELETE', SIM_PATH, { write: true })).rejects.toThrow(`${name} looks after this`);
  const body = { CommonServiceItem: { Status: { ICCID }, Provider: { Class: 'sim' } } };
  await expect(api('POST', '/commonserviceitem', { body, write: true })).rejects.toThrow(`${name} looks after this`);
  await expect(api('PUT', `${SIM_PATH}/sim/not-known`, { write: true })).rejects.toThrow(`${name} looks after this`);
  expect(await writes()).toEqual([]);
  await api('PUT', `${SIM_PATH}/sim/reconnect`, { write: true });
  await api('PUT', `/site/${SITE}/acl`, { body: { ACL: 'allow all' }, write: true });
  await api('PUT', `${SIM_PATH}/sim/deactivate`, { write: true, force: true });
  const sent = [
    'PUT /commonserviceitem/:id/sim/reconnect',
    'PUT webaccel/site/:id/acl',
    'PUT /commonserviceitem/:id/sim/deactivate',
  ];
  expect((await writes()).slice(0, 3)).toEqual(sent);
});

it('secrets that are sent are shown nowhere unless that was asked for', async () => {
  const body = { CommonServiceItem: { Name: 'x', Remark: { PassCode: 'canary' } } };
  const refused = capture();
  const kubeconfig = kubeconfigWith({ namespace: world.namespace });
  const path = parseApiPath('/commonserviceitem', undefined);
  const flags = { method: 'POST', path, body, kubeconfig, write: true, force: true, output: 'json' } as const;
  await expect(requestApi({ ...flags, showSecrets: false }, refused)).rejects.toThrow('POST /commonserviceitem');
  expect(refused.complained()).toContain('"PassCode": "(removed)"');
  expect(refused.said() + refused.complained()).not.toContain('canary');
  const shown = capture();
  await expect(requestApi({ ...flags, showSecrets: true }, shown)).rejects.toThrow('POST /commonserviceitem');
  expect(shown.complained()).toContain('canary');
});

it('what the service refuses is told with what a person can do', async () => {
  await expect(api('GET', '/commonserviceitem/113399999999')).rejects.toMatchObject({
    code: 'ApiRefused',
    message: expect.stringContaining('404'),
  });
  await expect(api('GET', '/unheard-of')).rejects.toMatchObject({ code: 'ApiRefused' });
  await expect(api('GET', SIM_PATH, { body: {} })).rejects.toThrow('a GET has no --data');
  await expect(api('DELETE', `${SIM_PATH}?x=1`, { write: true })).rejects.toThrow('no parameters in its path');
});
