import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CloudClient, CloudClientOptions } from '../../../../src/cloud/client.ts';
import type { CallOptions } from '../../../../src/cloud/limiter/lanes.ts';
import type { WriteReport } from '../../../../src/cloud/write-report.ts';
import { clientOf } from '../../../support/client-of.ts';
import {
  type Answer,
  type HTTPSServer,
  makeCertificates,
  startHTTPSServer,
  type TestCertificates,
} from '../../../support/https-server.ts';

const error = (status: number, error_code: string): Answer => ({
  status,
  json: { is_fatal: true, serial: 'serial-7', status: String(status), error_code, error_msg: 'why' },
});
const done: Answer = { json: { is_ok: true, CommonServiceItem: { ID: '1' } } };
const notOK: Answer = { json: { is_ok: false } };
const cut: Answer = { raw: (response) => response.socket?.destroy() };
const garbage: Answer = { raw: (response) => void response.end('{"is_ok":tr') };
const challenge: Answer = {
  status: 401,
  headers: { 'www-authenticate': 'Digest realm="r", qop="auth", nonce="n", algorithm=SHA-256' },
  json: {},
};

let certificates: TestCertificates;
let server: HTTPSServer;
beforeAll(async () => {
  certificates = await makeCertificates();
  server = await startHTTPSServer(certificates);
});
afterAll(() => server.close());

type Operation = (client: CloudClient, call: CallOptions) => Promise<unknown>;
const put: Operation = (client, call) => client.sims.activate('1', call);
const remove: Operation = (client, call) => client.sims.clearIP('1', call);
const create: Operation = (client, call) => client.sims.create({ name: 'a', iccid: '8981', passCode: 'x' }, call);
const upload: Operation = (client, call) => client.sites.putCertificate('s', { certificateChain: 'C', key: 'K' }, call);
const read: Operation = (client, call) => client.sims.read('1', call);

/** What is reported of one call; answers come in order, the last one from then on. */
async function reported(
  operation: Operation,
  list: readonly Answer[],
  { call = {}, ...options }: Partial<CloudClientOptions> & { readonly call?: Partial<CallOptions> } = {},
): Promise<WriteReport[]> {
  server.answer((_, index) => list[Math.min(index, list.length - 1)] ?? done);
  server.requests.length = 0;
  const client = clientOf(server, certificates, options);
  const reports: WriteReport[] = [];
  await operation(client, { lane: 'write', onWrite: (report) => void reports.push(report), ...call }).catch(
    () => undefined,
  );
  await client.close();
  return reports;
}

/** Each attempt with what became of it. */
const short = (reports: readonly WriteReport[]) =>
  reports.map(({ attempt, outcome, status, code }) => `${attempt} ${outcome} ${status ?? '-'} ${code ?? '-'}`);

describe('each write request that leaves is reported once', () => {
  it.each<[string, Operation, readonly Answer[], readonly string[]]>([
    ['done', put, [done], ['1 done 200 -']],
    [
      'done at the third attempt',
      put,
      [error(503, 'busy'), cut, done],
      ['1 refused 503 busy', '2 unclear - -', '3 done 200 -'],
    ],
    ['refused', create, [error(409, 'conflict')], ['1 refused 409 conflict']],
    ['refused for its content', put, [error(400, 'bad_request')], ['1 refused 400 bad_request']],
    ['refused for being too many', create, [error(429, 'too_many_request')], ['1 refused 429 too_many_request']],
    ['failed at the service, which may have done it', create, [error(500, 'internal')], ['1 unclear 500 internal']],
    ['timed out at the service', upload, [error(503, 'operation_timeout')], ['1 unclear 503 operation_timeout']],
    ['without an answer', upload, [cut], ['1 unclear - -']],
    ['with an answer that is none', upload, [garbage], ['1 unclear 200 -']],
    ['with a success that says it is none', create, [notOK], ['1 unclear 200 -']],
    [
      'gone before the second attempt',
      remove,
      [cut, error(404, 'not_found')],
      ['1 unclear - -', '2 refused 404 not_found'],
    ],
    ['a read is none', read, [done], []],
  ])('%s', async (_, operation, answers, expected) => {
    const reports = await reported(operation, answers);
    expect(short(reports)).toEqual(expected);
    expect(server.requests.filter(({ method }) => method !== 'GET')).toHaveLength(expected.length);
  });

  it('challenged, and sent again with the answer', async () => {
    const reports = await reported(put, [challenge, done], { authentication: 'Digest' });
    expect(short(reports)).toEqual(['1 refused 401 challenge', '2 done 200 -']);
  });

  it('with what it was, how long it took, and the number that the service gave it', async () => {
    const [report] = await reported(remove, [error(409, 'conflict')]);
    expect(report).toEqual({
      route: 'DELETE /commonserviceitem/:id/sim/ip',
      request: 'DELETE /commonserviceitem/1/sim/ip',
      attempt: 1,
      outcome: 'refused',
      status: 409,
      code: 'conflict',
      serial: 'serial-7',
      milliseconds: expect.any(Number),
    });
  });

  it('and what did not leave is not', async () => {
    const guard = () => {
      throw new Error('the decision is outdated');
    };
    expect(await reported(put, [done], { call: { guard } })).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});
