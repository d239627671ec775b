import { Agent, request } from 'undici';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../../src/simulator/server.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type SimulatorClient, simulatorClient } from '../../support/simulator-client.ts';

interface Asked {
  readonly zone?: string;
  readonly extended?: boolean;
  /** The pair to authenticate with by Basic. */
  readonly as?: readonly [string, string];
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export const credentials = ['token', 'secret-of-token'] as const;

export interface Service {
  readonly clock: ManualClock;
  readonly baseURL: string;
  readonly ca: string;
  readonly control: SimulatorClient;
  readonly controlURL: string;
  /** A request below the cloud prefix, `/commonserviceitem`; or below another, when the path begins with `/cloud/`. */
  call(method: string, path: string, body?: unknown, asked?: Asked): Promise<Answer>;
  /** The same below the web acceleration prefix. */
  web(method: string, path: string, body?: unknown, asked?: Asked): Promise<Answer>;
  close(): Promise<void>;
}

/** A simulator at 2026-01-01T00:00:00Z whose time stands still. */
export async function startService(options: Partial<SimulatorOptions> = {}): Promise<Service> {
  const clock = new ManualClock();
  const [accessToken, accessTokenSecret] = credentials;
  const simulator = await startSimulator({
    listen: '127.0.0.1:0',
    control: '127.0.0.1:0',
    accessToken,
    accessTokenSecret,
    migratingMilliseconds: 0,
    clock,
    random: () => 0.5,
    ...options,
  });
  const dispatcher = new Agent({ connect: { ca: simulator.ca }, connections: 8 });
  async function send(method: string, path: string, body: unknown, asked: Asked): Promise<Answer> {
    const answer = await request(`${simulator.baseURL}${path}`, {
      method,
      dispatcher,
      ...(asked.signal && { signal: asked.signal }),
      headers: {
        authorization: `Basic ${Buffer.from((asked.as ?? credentials).join(':')).toString('base64')}`,
        ...(asked.extended && { 'x-sakura-bigint-as-int': '1' }),
        ...asked.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const json = String(answer.headers['content-type']).startsWith('application/json') && text.endsWith('}');
    return { status: answer.statusCode, headers: answer.headers, text, body: json ? JSON.parse(text) : {} };
  }
  return {
    clock,
    baseURL: simulator.baseURL,
    ca: simulator.ca,
    control: simulatorClient(simulator.control),
    controlURL: simulator.control,
    call: (method, path, body, asked = {}) =>
      send(
        method,
        path.startsWith('/cloud/') ? path : `/cloud/zone/${asked.zone ?? 'is1a'}/api/cloud/1.1${path}`,
        body,
        asked,
      ),
    web: (method, path, body, asked = {}) =>
      send(method, `/cloud/zone/${asked.zone ?? 'is1a'}/api/webaccel/1.0${path}`, body, asked),
    async close() {
      await dispatcher.destroy();
      await simulator.close();
    },
  };
}

/** One simulator for all tests of a file, back at its seed before each of them. */
export function useService(options: Partial<SimulatorOptions> = {}): Service {
  let service: Service | undefined;
  beforeAll(async () => {
    service = await startService(options);
  });
  beforeEach(async () => {
    await started().control.reset();
  });
  afterAll(() => service?.close());
  const started = () => {
    if (!service) throw new Error('the simulator has not started');
    return service;
  };
  return {
    get clock() {
      return started().clock;
    },
    get baseURL() {
      return started().baseURL;
    },
    get ca() {
      return started().ca;
    },
    get control() {
      return started().control;
    },
    get controlURL() {
      return started().controlURL;
    },
    call: (...given) => started().call(...given),
    web: (...given) => started().web(...given),
    close: () => started().close(),
  };
}

/** What a refusal says: status, word and message. */
export function refusal({ status, body }: Answer): string {
  return `${status} ${String(body['error_code'])}: ${String(body['error_msg'])}`;
}

export const truckICCID = '8981000000000000001';
export const truckID = '113300000101';
export const gatewayID = '113300000201';

/** A SIM that is up on a gateway with a private network, another SIM of no gateway, a gateway without settings. */
export const fleet = {
  sims: [
    {
      id: truckID,
      iccid: truckICCID,
      name: 'truck-1',
      activated: true,
      gateway: 'depot',
      ip: '10.0.0.17',
      connectedIMEI: '356900000000017',
    },
    { id: '113300000102', iccid: '8981000000000000002', name: 'truck-2', tags: ['spare'] },
  ],
  gateways: [
    {
      id: gatewayID,
      name: 'depot',
      zone: 'is1b' as const,
      internetConnection: true,
      privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
    },
    { id: '113300000202', name: 'bare', zone: 'is1a' as const },
  ],
};
